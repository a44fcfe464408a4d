// Ops of no dispatch move bytes that no sum has: what fusing them would save in all is not known, and not nothing.
// RUN: fuselage explain %s | FileCheck %s
// RUN: fuselage explain %s --format json | FileCheck %s --check-prefix=JSON
// CHECK: what fusing would save in all is not known: edges lie between ops of no dispatch
// JSON: "missed": 1
// JSON: "missed_bytes": null
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = arith.mulf %a, %a : tensor<8x8xf32>
  %1 = arith.addf %0, %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

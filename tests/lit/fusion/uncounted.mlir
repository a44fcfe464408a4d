// Ops of no dispatch move bytes that no sum has: what fusing them would save in all is not known, and not nothing. A share of a
// sum that does not hold what is shared is none.
// RUN: fuselage explain %s | FileCheck %s
// RUN: fuselage explain %s --format json | FileCheck %s --check-prefix=JSON
// CHECK: what fusing would save in all is not known: edges lie between ops of no dispatch
// CHECK-NOT: {{[0-9]{3,}\.[0-9] %}}
// CHECK: UNKNOWN_OP: One of the two ops is of a dialect that Fuselage cannot transform: lower it to linalg first
// JSON: "missed": 1
// JSON: "missed_bytes": null
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = "mine.square"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = "mine.double"(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// RUN: fuselage step %s --format text -o - | FileCheck %s --check-prefix=STEP
// RUN: fuselage step %s --pipeline 'canonicalize,func.func(fuselage-form-dispatches)' --at 1 --side after | FileCheck %s --check-prefix=AT
// RUN: sh -c 'fuselage step %s --pipeline "cannonicalize"; test $? -ne 0' 2>&1 | FileCheck %s --check-prefix=TYPO
// RUN: fuselage run %s --device host --repeat 1 --warmup 0 --format json | FileCheck %s --check-prefix=REPORT
// RUN: fuselage devices | FileCheck %s --check-prefix=DEVICES

// STEP: changed{{ +}}Form dispatches{{ +}}+1 flow.dispatch.region
// AT: flow.dispatch.region
// TYPO: cannonicalize
// TYPO: canonicalize
// REPORT-DAG: "device":{{ ?}}"host"
// REPORT-DAG: "ok":{{ ?}}true
// DEVICES: host
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
}

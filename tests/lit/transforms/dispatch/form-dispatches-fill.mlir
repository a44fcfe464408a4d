// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches))' | FileCheck %s
// RUN: fuselage fuse %s --all | FileCheck %s --check-prefix=FUSE

// FUSE: dispatches: 1 before, 1 after

// A fill that is returned takes no dispatch, and is cloned into the one that reads it.
// CHECK-LABEL: func @fill_is_result
// CHECK-NOT:     flow.dispatch.region
// CHECK:         %[[F:.*]] = linalg.fill
// CHECK:         %[[M:.*]] = flow.dispatch.region
// CHECK:           linalg.fill
// CHECK:           linalg.matmul
// CHECK:         return %[[F]], %[[M]]
func.func @fill_is_result(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %f, %m : tensor<8x8xf32>, tensor<8x8xf32>
}

// CHECK-LABEL: func @only_fill
// CHECK-NOT:     flow.dispatch.region
// CHECK:         linalg.fill
func.func @only_fill() -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %f : tensor<8x8xf32>
}

// What dynamic sizes would save nobody knows; it is not nothing.
// RUN: fuselage explain %s | FileCheck %s

// CHECK: what the dispatches move, and what fusing would save, is not known: sizes are dynamic
// CHECK: ? {{.*}} linalg.matmul {{.*}} linalg.matmul {{.*}} {{can be fused|tried without success|cannot be fused}}
func.func @two(%a: tensor<?x8xf32>, %b: tensor<8x8xf32>, %init: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x8xf32>) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<?x8xf32>, tensor<8x8xf32>) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

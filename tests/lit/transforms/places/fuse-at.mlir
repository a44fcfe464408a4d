// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fuselage-fuse-at{from=12 to=14 passes=fuselage-absorb-transpose})' | FileCheck %s

// Of two equal pairs the second alone changes; the fill is still shared.

// CHECK-LABEL: func.func @second
// CHECK:         %[[FILL:.*]] = linalg.fill
// CHECK:         %[[T:.*]] = linalg.transpose
// CHECK:         linalg.matmul ins(%{{.*}}, %[[T]]
// CHECK-NOT:     linalg.transpose
// CHECK-NOT:     linalg.fill
// CHECK:         linalg.matmul indexing_maps = {{.*}} outs(%[[FILL]]
func.func @second(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.transpose ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %p = linalg.matmul ins(%b, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %u = linalg.transpose ins(%b : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %q = linalg.matmul ins(%a, %u : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p, %q : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// expected-error@below {{there is no op 12; 'fuselage explain' gives the numbers of ops}}
module {
  func.func @short(%a: tensor<8xf32>) -> tensor<8xf32> {
    return %a : tensor<8xf32>
  }
}

// Upstream's own composite ops, by upstream's own rewrites.
// RUN: fuselage-opt --fuselage-decompose-composites %s | FileCheck %s

// CHECK-LABEL: func.func @softmax
//   CHECK-NOT:   linalg.softmax
//       CHECK:   math.exp
func.func @softmax(%x: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @pack
//   CHECK-NOT:   linalg.pack
//       CHECK:   linalg.transpose
func.func @pack(%x: tensor<16x8xf32>, %o: tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32> {
  %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %o : tensor<16x8xf32> -> tensor<2x2x8x4xf32>
  return %0 : tensor<2x2x8x4xf32>
}

// CHECK-LABEL: func.func @unpack
//   CHECK-NOT:   linalg.unpack
//       CHECK:   linalg.transpose
func.func @unpack(%x: tensor<2x2x8x4xf32>, %o: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %o : tensor<2x2x8x4xf32> -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

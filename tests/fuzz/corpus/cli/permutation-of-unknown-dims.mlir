// fuselage graph
func.func @f(%x: tensor<8x4xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [?, 0]
  %r = linalg.exp ins(%t : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

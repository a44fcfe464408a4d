// Queries times keys of an attention layer: 4 heads.
func.func @batch_matmul(%a: tensor<4x128x64xf32>, %b: tensor<4x64x128xf32>) -> tensor<4x128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x128x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<4x128x64xf32>, tensor<4x64x128xf32>) outs(%fill : tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  return %c : tensor<4x128x128xf32>
}

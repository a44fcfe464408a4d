// Queries times keys of an attention layer: 2 heads.
func.func @batch_matmul(%a: tensor<2x48x32xf32>, %b: tensor<2x32x64xf32>) -> tensor<2x48x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x48x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x48x64xf32>) -> tensor<2x48x64xf32>
  %c = linalg.batch_matmul ins(%a, %b : tensor<2x48x32xf32>, tensor<2x32x64xf32>) outs(%fill : tensor<2x48x64xf32>) -> tensor<2x48x64xf32>
  return %c : tensor<2x48x64xf32>
}

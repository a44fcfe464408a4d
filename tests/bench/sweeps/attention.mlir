// Attention of two heads: scores, their softmax, and what that makes of the values.
func.func @attention(%q: tensor<2x720x32xf32>, %k: tensor<2x32x720xf32>, %v: tensor<2x720x32xf32>) -> tensor<2x720x32xf32> {
  %zero = arith.constant 0.0 : f32
  %scores_empty = tensor.empty() : tensor<2x720x720xf32>
  %scores_fill = linalg.fill ins(%zero : f32) outs(%scores_empty : tensor<2x720x720xf32>) -> tensor<2x720x720xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<2x720x32xf32>, tensor<2x32x720xf32>) outs(%scores_fill : tensor<2x720x720xf32>) -> tensor<2x720x720xf32>
  %weights = linalg.softmax dimension(2) ins(%scores : tensor<2x720x720xf32>) outs(%scores_empty : tensor<2x720x720xf32>) -> tensor<2x720x720xf32>
  %empty = tensor.empty() : tensor<2x720x32xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x720x32xf32>) -> tensor<2x720x32xf32>
  %r = linalg.batch_matmul ins(%weights, %v : tensor<2x720x720xf32>, tensor<2x720x32xf32>) outs(%fill : tensor<2x720x32xf32>) -> tensor<2x720x32xf32>
  return %r : tensor<2x720x32xf32>
}

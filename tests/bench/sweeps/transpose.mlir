// Rows become columns.
func.func @transpose(%x: tensor<480x960xf32>) -> tensor<960x480xf32> {
  %empty = tensor.empty() : tensor<960x480xf32>
  %y = linalg.transpose ins(%x : tensor<480x960xf32>) outs(%empty : tensor<960x480xf32>) permutation = [1, 0]
  return %y : tensor<960x480xf32>
}

// Rows become columns.
func.func @transpose(%x: tensor<720x1440xf32>) -> tensor<1440x720xf32> {
  %empty = tensor.empty() : tensor<1440x720xf32>
  %y = linalg.transpose ins(%x : tensor<720x1440xf32>) outs(%empty : tensor<1440x720xf32>) permutation = [1, 0]
  return %y : tensor<1440x720xf32>
}

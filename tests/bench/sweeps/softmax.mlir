// Rows of 32 numbers, of 48 queries and 48 heads in each of 12 sequences.
func.func @softmax(%x: tensor<12x48x48x32xf32>) -> tensor<12x48x48x32xf32> {
  %empty = tensor.empty() : tensor<12x48x48x32xf32>
  %y = linalg.softmax dimension(3) ins(%x : tensor<12x48x48x32xf32>) outs(%empty : tensor<12x48x48x32xf32>) -> tensor<12x48x48x32xf32>
  return %y : tensor<12x48x48x32xf32>
}

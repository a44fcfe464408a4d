// Rows of 64 numbers, of 120 queries and 12 heads in each of 12 sequences.
func.func @softmax(%x: tensor<12x12x120x64xf32>) -> tensor<12x12x120x64xf32> {
  %empty = tensor.empty() : tensor<12x12x120x64xf32>
  %y = linalg.softmax dimension(3) ins(%x : tensor<12x12x120x64xf32>) outs(%empty : tensor<12x12x120x64xf32>) -> tensor<12x12x120x64xf32>
  return %y : tensor<12x12x120x64xf32>
}

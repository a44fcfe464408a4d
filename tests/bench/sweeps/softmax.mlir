// Rows of 64 numbers, of 12 heads in each of 8 sequences.
func.func @softmax(%x: tensor<8x12x128x64xf32>) -> tensor<8x12x128x64xf32> {
  %empty = tensor.empty() : tensor<8x12x128x64xf32>
  %y = linalg.softmax dimension(3) ins(%x : tensor<8x12x128x64xf32>) outs(%empty : tensor<8x12x128x64xf32>) -> tensor<8x12x128x64xf32>
  return %y : tensor<8x12x128x64xf32>
}

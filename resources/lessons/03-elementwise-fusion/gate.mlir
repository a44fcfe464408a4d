// Scale, shift and squash 64 x 128 elements. @keep also returns the value before its last step.
func.func @gate(%x: tensor<64x128xf32>, %scale: tensor<64x128xf32>, %shift: tensor<64x128xf32>) -> tensor<8192xf32> {
  %init = tensor.empty() : tensor<64x128xf32>
  %line = tensor.empty() : tensor<8192xf32>
  %scaled = linalg.mul ins(%x, %scale : tensor<64x128xf32>, tensor<64x128xf32>)
                       outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %shifted = linalg.add ins(%scaled, %shift : tensor<64x128xf32>, tensor<64x128xf32>)
                        outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %flat = tensor.collapse_shape %shifted [[0, 1]] : tensor<64x128xf32> into tensor<8192xf32>
  %squashed = linalg.tanh ins(%flat : tensor<8192xf32>) outs(%line : tensor<8192xf32>) -> tensor<8192xf32>
  return %squashed : tensor<8192xf32>
}

func.func @keep(%x: tensor<8192xf32>, %y: tensor<8192xf32>) -> (tensor<8192xf32>, tensor<64x128xf32>) {
  %init = tensor.empty() : tensor<64x128xf32>
  %line = tensor.empty() : tensor<8192xf32>
  %kept = linalg.sub ins(%x, %y : tensor<8192xf32>, tensor<8192xf32>) outs(%line : tensor<8192xf32>) -> tensor<8192xf32>
  %square = tensor.expand_shape %kept [[0, 1]] output_shape [64, 128] : tensor<8192xf32> into tensor<64x128xf32>
  %grown = linalg.exp ins(%square : tensor<64x128xf32>) outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %kept, %grown : tensor<8192xf32>, tensor<64x128xf32>
}

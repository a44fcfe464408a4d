// A 3x3 convolution of 16 channels to 32.
func.func @convolution(%image: tensor<1x14x14x16xf32>, %filter: tensor<3x3x16x32xf32>) -> tensor<1x12x12x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x12x12x32xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x14x14x16xf32>, tensor<3x3x16x32xf32>) outs(%fill : tensor<1x12x12x32xf32>) -> tensor<1x12x12x32xf32>
  return %c : tensor<1x12x12x32xf32>
}

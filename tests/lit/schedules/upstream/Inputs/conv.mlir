// A convolution, a softmax, a pad, and an op with a dimension of one.
func.func @conv(%image: tensor<1x10x10x4xf32>, %filter: tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x8x8x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %conv = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x10x10x4xf32>, tensor<3x3x4x8xf32>) outs(%fill : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %conv : tensor<1x8x8x8xf32>
}
func.func @fhwc(%image: tensor<2x14x14x5xf32>, %filter: tensor<2x3x3x5xf32>, %out: tensor<2x12x12x2xf32>) -> tensor<2x12x12x2xf32> {
  %conv = linalg.conv_2d_nhwc_fhwc ins(%image, %filter : tensor<2x14x14x5xf32>, tensor<2x3x3x5xf32>) outs(%out : tensor<2x12x12x2xf32>) -> tensor<2x12x12x2xf32>
  return %conv : tensor<2x12x12x2xf32>
}
func.func @thin(%image: tensor<1x1x10x4xf32>, %filter: tensor<1x3x4x8xf32>, %out: tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32> {
  %conv = linalg.conv_2d_nhwc_hwcf {thin} ins(%image, %filter : tensor<1x1x10x4xf32>, tensor<1x3x4x8xf32>) outs(%out : tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32>
  return %conv : tensor<1x1x8x8xf32>
}
func.func @softmax(%a: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %empty = tensor.empty() : tensor<4x16xf32>
  %s = linalg.softmax dimension(1) ins(%a : tensor<4x16xf32>) outs(%empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %s : tensor<4x16xf32>
}
func.func @pad(%a: tensor<5x7xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x7xf32> to tensor<8x8xf32>
  return %p : tensor<8x8xf32>
}
func.func @unit(%a: tensor<1x6x1xf32>) -> tensor<1x6x1xf32> {
  %empty = tensor.empty() : tensor<1x6x1xf32>
  %e = linalg.exp ins(%a : tensor<1x6x1xf32>) outs(%empty : tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
  return %e : tensor<1x6x1xf32>
}

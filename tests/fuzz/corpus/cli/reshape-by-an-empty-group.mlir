// fuselage graph
func.func @f(%a: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = tensor.expand_shape %a [[], [64, 1]] output_shape [4, 2] : tensor<4x2xf32> into tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

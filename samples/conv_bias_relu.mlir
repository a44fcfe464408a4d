// A 3x3 convolution of a ResNet stage (NHWC, 56x56, 64 channels), padded by 1, with bias and ReLU.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d3)>

func.func @conv_bias_relu(%image: tensor<1x56x56x64xf32>, %filter: tensor<3x3x64x64xf32>,
                          %bias: tensor<64xf32>) -> tensor<1x56x56x64xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x56x56x64xf32> to tensor<1x58x58x64xf32>
  %init = tensor.empty() : tensor<1x56x56x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %filter : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>)
      outs(%fill : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %biased = linalg.generic {indexing_maps = [#id, #channel, #id],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %bias : tensor<1x56x56x64xf32>, tensor<64xf32>) outs(%init : tensor<1x56x56x64xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %sum = arith.addf %in, %b : f32
    linalg.yield %sum : f32
  } -> tensor<1x56x56x64xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id],
                          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%biased : tensor<1x56x56x64xf32>) outs(%init : tensor<1x56x56x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %positive = arith.maximumf %in, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<1x56x56x64xf32>
  return %relu : tensor<1x56x56x64xf32>
}

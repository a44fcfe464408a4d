// A blur of exponentials over windows of 3 x 3, with two users.
func.func @smooth(%x: tensor<66x66xf32>, %w: tensor<3x3xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %large = tensor.empty() : tensor<66x66xf32>
  %sharp = linalg.exp ins(%x : tensor<66x66xf32>) outs(%large : tensor<66x66xf32>) -> tensor<66x66xf32>
  %small = tensor.empty() : tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%small : tensor<64x64xf32>) -> tensor<64x64xf32>
  %blurred = linalg.conv_2d ins(%sharp, %w : tensor<66x66xf32>, tensor<3x3xf32>)
      outs(%none : tensor<64x64xf32>) -> tensor<64x64xf32>
  %bounded = linalg.tanh ins(%blurred : tensor<64x64xf32>) outs(%small : tensor<64x64xf32>) -> tensor<64x64xf32>
  %negated = linalg.negf ins(%blurred : tensor<64x64xf32>) outs(%small : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %bounded, %negated : tensor<64x64xf32>, tensor<64x64xf32>
}

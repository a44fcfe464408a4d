// A matmul between what fills its result and what reads it, and an op that stands alone.
func.func @f(%a: tensor<128x64xf32>, %b: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x32xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x32xf32>) -> tensor<128x32xf32>
  %mm = linalg.matmul ins(%a, %b : tensor<128x64xf32>, tensor<64x32xf32>) outs(%fill : tensor<128x32xf32>) -> tensor<128x32xf32>
  %twice = linalg.add ins(%mm, %mm : tensor<128x32xf32>, tensor<128x32xf32>) outs(%empty : tensor<128x32xf32>) -> tensor<128x32xf32>
  return %twice : tensor<128x32xf32>
}
func.func @g(%a: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %empty = tensor.empty() : tensor<8x12xf32>
  %exp = linalg.exp ins(%a : tensor<8x12xf32>) outs(%empty : tensor<8x12xf32>) -> tensor<8x12xf32>
  return %exp : tensor<8x12xf32>
}

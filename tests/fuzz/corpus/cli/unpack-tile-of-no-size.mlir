func.func @f(%a: tensor<8x64x16x16xf32>, %d: tensor<128x1024xf32>) -> tensor<128x1024xf32> {
  %u = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [16, -9223372036854775808] into %d : tensor<8x64x16x16xf32> -> tensor<128x1024xf32>
  return %u : tensor<128x1024xf32>
}
func.func @fine(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @fine(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @unpack(%arg0: tensor<4x8x29241x16x16xf32>) -> tensor<29241x128x64xf32> {
  %0 = tensor.empty() : tensor<29241x128x64xf32>
  %unpack = linalg.unpack %arg0 outer_dims_perm = [9223372036854775807, 1, 4294967295] inner_dims_pos = [-9223372036854775808, -1] inner_tiles = [0, -1] into %0 : tensor<4x8x29241x16x16xf32> -> tensor<29241x128x64xf32>
  return %unpack : tensor<29241x128x64xf32>
}

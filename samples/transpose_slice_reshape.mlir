// Ops that only move data, between two transposes: a slice, a reshape and its inverse.
//
// None of tensor.extract_slice, expand_shape and collapse_shape can be tiled itself, and all can be
// fused through: fuselage-tile-and-fuse{tile-sizes=32,64} computes the whole chain in one loop nest.

func.func @transpose_slice_reshape(%x: tensor<256x512xf32>) -> tensor<256x384xf32> {
  %transposed_init = tensor.empty() : tensor<512x256xf32>
  %transposed = linalg.transpose ins(%x : tensor<256x512xf32>)
                                 outs(%transposed_init : tensor<512x256xf32>) permutation = [1, 0]
  %rows = tensor.extract_slice %transposed[64, 0] [384, 256] [1, 1]
      : tensor<512x256xf32> to tensor<384x256xf32>
  %blocks = tensor.expand_shape %rows [[0, 1], [2]] output_shape [24, 16, 256]
      : tensor<384x256xf32> into tensor<24x16x256xf32>
  %tanh_init = tensor.empty() : tensor<24x16x256xf32>
  %tanh = linalg.tanh ins(%blocks : tensor<24x16x256xf32>)
                      outs(%tanh_init : tensor<24x16x256xf32>) -> tensor<24x16x256xf32>
  %flat = tensor.collapse_shape %tanh [[0, 1], [2]] : tensor<24x16x256xf32> into tensor<384x256xf32>
  %y_init = tensor.empty() : tensor<256x384xf32>
  %y = linalg.transpose ins(%flat : tensor<384x256xf32>)
                        outs(%y_init : tensor<256x384xf32>) permutation = [1, 0]
  return %y : tensor<256x384xf32>
}

// fuselage fuse-clean-up
func.func @f(%arg0: tensor<?x?xbf16>, %arg1: tensor<?x?x?xbf16>) -> tensor<?x?x?xbf16> {
  %expand_shape = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 2, 4] : tensor<?x?xbf16> into tensor<?x?x?xbf16>
  %t = linalg.transpose ins(%expand_shape : tensor<?x?x?xbf16>) outs(%arg1 : tensor<?x?x?xbf16>) permutation = [0, 2, 1]
  return %t

// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-bubble-reshape-up))' -o /dev/null

func.func @convolution(%i: tensor<1x6x6x3xf32>, %k: tensor<3x3x3x8xf32>, %c: tensor<1x4x4x8xf32>, %e: tensor<1x4x4x2x4xf32>) -> tensor<1x4x4x2x4xf32> {
  %conv = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<1x6x6x3xf32>, tensor<3x3x3x8xf32>) outs(%c : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  // expected-remark @below {{stays where it is: linalg.conv_2d_nhwc_hwcf is in the way, the loops of a convolution cannot be split or merged}}
  %x = tensor.expand_shape %conv [[0], [1], [2], [3, 4]] output_shape [1, 4, 4, 2, 4] : tensor<1x4x4x8xf32> into tensor<1x4x4x2x4xf32>
  %r = linalg.exp ins(%x : tensor<1x4x4x2x4xf32>) outs(%e : tensor<1x4x4x2x4xf32>) -> tensor<1x4x4x2x4xf32>
  return %r : tensor<1x4x4x2x4xf32>
}

// -----

func.func @units(%a: tensor<4xf32>, %e: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %b = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{stays where it is: it only adds or drops unit dimensions; run fuselage-fold-unit-dims}}
  %x = tensor.expand_shape %b [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
  %r = linalg.exp ins(%x : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-fold-unit-dims))' | FileCheck %s

// A copy that reads a unit dimension as element 0 is no copy at all; the sum keeps its rows.

// CHECK-LABEL: func.func @bias_behind_copy
// CHECK:         %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]{{\]}}
// CHECK-NOT:     linalg.generic
// CHECK:         %[[S:.*]] = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]
// CHECK-SAME:      ins(%[[X]], %{{.*}} : tensor<6x8xf32>, tensor<8xf32>)
// CHECK:         tensor.expand_shape
#unit = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>
func.func @bias_behind_copy(%x: tensor<1x6x8xf32>, %b: tensor<8xf32>) -> tensor<1x6x8xf32> {
  %e = tensor.empty() : tensor<1x6x8xf32>
  %copy = linalg.generic {indexing_maps = [#unit, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x6x8xf32>) outs(%e : tensor<1x6x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x6x8xf32>
  %sum = linalg.generic {indexing_maps = [#unit, #last, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%copy, %b : tensor<1x6x8xf32>, tensor<8xf32>) outs(%e : tensor<1x6x8xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    linalg.yield %s : f32
  } -> tensor<1x6x8xf32>
  return %sum : tensor<1x6x8xf32>
}

// -----

// Contractions keep a name.

// CHECK-LABEL: func.func @batch_of_one
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x5xf32>)
func.func @batch_of_one(%a: tensor<1x4x8xf32>, %b: tensor<1x8x5xf32>, %c: tensor<1x4x5xf32>) -> tensor<1x4x5xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<1x4x8xf32>, tensor<1x8x5xf32>) outs(%c : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  return %r : tensor<1x4x5xf32>
}

// -----

// Nothing to do; a convolution; an op that belongs to a dispatch.

// CHECK-LABEL: func.func @stay
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    linalg.exp
// CHECK:         linalg.conv_2d_nhwc_hwcf
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.abs ins(%{{.*}} : tensor<1x4xf32>)
func.func @stay(%x: tensor<4x8xf32>, %i: tensor<1x6x6x3xf32>, %k: tensor<3x3x3x2xf32>, %c: tensor<1x4x4x2xf32>, %u: tensor<1x4xf32>)
    -> (tensor<4x8xf32>, tensor<1x4x4x2xf32>, tensor<1x4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-remark @below {{keeps its unit dimensions: without them it would be no convolution any more}}
  %conv = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<1x6x6x3xf32>, tensor<3x3x3x2xf32>) outs(%c : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %d = flow.dispatch.region -> (tensor<1x4xf32>) {
    %abs = linalg.abs ins(%u : tensor<1x4xf32>) outs(%u : tensor<1x4xf32>) -> tensor<1x4xf32>
    flow.return %abs : tensor<1x4xf32>
  }
  return %r, %conv, %d : tensor<4x8xf32>, tensor<1x4x4x2xf32>, tensor<1x4xf32>
}

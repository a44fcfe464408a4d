// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_86, registers_per_thread = 255, compute_units = 108>'},func.func(fuselage-form-dispatches,fuselage-tile-to-workgroups,fuselage-fuse-producers))" | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches,fuselage-tile-to-workgroups,fuselage-fuse-producers))' | FileCheck %s --check-prefix=OTHER
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name=lavapipe},func.func(fuselage-form-dispatches,fuselage-tile-to-workgroups,fuselage-fuse-producers))" | FileCheck %s --check-prefix=OTHER

// GPUs with wide registers get products of matrices, others convolutions.
// OTHER: linalg.conv_2d_nhwc_hwcf
// OTHER: linalg.conv_2d_nchw_fchw

// The image's loops are one, of rows of a product; the padding is a choice, and no padded image is stored. Bias and result follow.
// CHECK: #[[PICKED:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>
// CHECK: #[[FILTER:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>
// CHECK-LABEL: func.func @nhwc
// CHECK: scf.forall {{.*}} -> (tensor<392x64xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<[[ROWS:[0-9]+]]x3x3x32xf16>)
// CHECK: arith.remui %{{.+}}, %c14
// CHECK: tensor.extract %arg0[{{.+}}] : tensor<2x14x14x32xf16>
// CHECK: arith.select %{{.+}}, %extracted, %cst
// CHECK: linalg.generic {indexing_maps = [#[[PICKED]], #[[FILTER]], #{{.+}}], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK-SAME: tensor<[[ROWS]]x3x3x32xf16>, tensor<3x3x32x64xf16>
// CHECK: linalg.generic {{.*}} tensor<[[ROWS]]x64xf32>, tensor<64xf32>
// CHECK: tensor.expand_shape %{{.+}} {{\[\[}}0, 1, 2], [3]]
// CHECK-NOT: linalg.conv
func.func @nhwc(%image: tensor<2x14x14x32xf16>, %filter: tensor<3x3x32x64xf16>, %bias: tensor<64xf32>) -> tensor<2x14x14x64xf32> {
  %zero = arith.constant 0.0 : f16
  %none = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %w: index, %c: index):
    tensor.yield %zero : f16
  } : tensor<2x14x14x32xf16> to tensor<2x16x16x32xf16>
  %empty = tensor.empty() : tensor<2x14x14x64xf32>
  %fill = linalg.fill ins(%none : f32) outs(%empty : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %filter : tensor<2x16x16x32xf16>, tensor<3x3x32x64xf16>) outs(%fill : tensor<2x14x14x64xf32>) -> tensor<2x14x14x64xf32>
  %biased = linalg.generic {indexing_maps = [affine_map<(n, h, w, f) -> (n, h, w, f)>, affine_map<(n, h, w, f) -> (f)>, affine_map<(n, h, w, f) -> (n, h, w, f)>],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %bias : tensor<2x14x14x64xf32>, tensor<64xf32>) outs(%empty : tensor<2x14x14x64xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %sum = arith.addf %in, %b : f32
    linalg.yield %sum : f32
  } -> tensor<2x14x14x64xf32>
  return %biased : tensor<2x14x14x64xf32>
}

// -----

// Where the image lies by channels, so does the product, and the filter is a matrix of what one result needs. 196 places are cut
// into tiles that overlap.
// CHECK-LABEL: func.func @nchw
// CHECK: tensor.collapse_shape %arg1 {{\[\[}}0], [1, 2, 3]] : tensor<32x16x3x3xf32> into tensor<32x144xf32>
// CHECK: scf.forall {{.*}} -> (tensor<2x32x196xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.+}} : tensor<1x144x64xf32>)
// CHECK: tensor.extract %arg0
// CHECK: linalg.generic {{.*}} ins(%{{.+}}, %{{.+}} : tensor<32x144xf32>, tensor<1x144x64xf32>)
// CHECK: tensor.expand_shape %{{.+}} {{\[\[}}0], [1], [2, 3]]
func.func @nchw(%image: tensor<2x16x29x29xf32>, %filter: tensor<32x16x3x3xf32>, %init: tensor<2x32x14x14xf32>) -> tensor<2x32x14x14xf32> {
  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%image, %filter : tensor<2x16x29x29xf32>, tensor<32x16x3x3xf32>) outs(%init : tensor<2x32x14x14xf32>) -> tensor<2x32x14x14xf32>
  return %conv : tensor<2x32x14x14xf32>
}

// -----

// A channel of its own has nothing to multiply with.
// CHECK-LABEL: func.func @depthwise
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @depthwise(%image: tensor<1x16x16x32xf32>, %filter: tensor<3x3x32xf32>, %init: tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32> {
  %conv = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %filter : tensor<1x16x16x32xf32>, tensor<3x3x32xf32>) outs(%init : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  return %conv : tensor<1x14x14x32xf32>
}

// -----

// A result that is wanted in another order cannot be reshaped to it: the convolution stays.
// CHECK-LABEL: func.func @transposed
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @transposed(%image: tensor<1x16x16x32xf32>, %filter: tensor<3x3x32x64xf32>, %init: tensor<1x14x14x64xf32>, %other: tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32> {
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %filter : tensor<1x16x16x32xf32>, tensor<3x3x32x64xf32>) outs(%init : tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
  %empty = tensor.empty() : tensor<1x14x14x64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, h, w, f) -> (n, w, h, f)>, affine_map<(n, h, w, f) -> (n, h, w, f)>, affine_map<(n, h, w, f) -> (n, h, w, f)>],
                         iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %other : tensor<1x14x14x64xf32>, tensor<1x14x14x64xf32>) outs(%empty : tensor<1x14x14x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %added = arith.addf %a, %b : f32
    linalg.yield %added : f32
  } -> tensor<1x14x14x64xf32>
  return %sum : tensor<1x14x14x64xf32>
}

// -----

// Scales that have two dimensions of one element more than they need: they go.
// CHECK-LABEL: func.func @scaled
// CHECK-DAG: tensor.collapse_shape %arg2 {{\[\[}}0, 1, 2]] : tensor<32x1x1xf32> into tensor<32xf32>
// CHECK-DAG: tensor.collapse_shape %arg3 {{\[\[}}0, 1], [2, 3]] : tensor<1x32x14x14xf32> into tensor<32x196xf32>
// CHECK: scf.forall {{.*}} -> (tensor<1x32x196xf32>)
// CHECK-NOT: linalg.conv
func.func @scaled(%image: tensor<1x16x16x16xf32>, %filter: tensor<32x16x3x3xf32>, %scale: tensor<32x1x1xf32>, %other: tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x32x14x14xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32>
  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %filter : tensor<1x16x16x16xf32>, tensor<32x16x3x3xf32>) outs(%fill : tensor<1x32x14x14xf32>) -> tensor<1x32x14x14xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (f, 0, 0)>,
                                             affine_map<(n, f, h, w) -> (0, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %scale, %other : tensor<1x32x14x14xf32>, tensor<32x1x1xf32>, tensor<1x32x14x14xf32>) outs(%empty : tensor<1x32x14x14xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %s : f32
    %sum = arith.addf %product, %b : f32
    linalg.yield %sum : f32
  } -> tensor<1x32x14x14xf32>
  return %scaled : tensor<1x32x14x14xf32>
}

// -----

// With a filter of one place, the image itself is the matrix; not with a stride, which leaves places out.
// CHECK-LABEL: func.func @pointwise
// CHECK: tensor.collapse_shape %arg0 {{\[\[}}0], [1], [2, 3]] : tensor<2x16x14x14xf32> into tensor<2x16x196xf32>
// CHECK-NOT: tensor.extract %arg0
// CHECK: return
func.func @pointwise(%image: tensor<2x16x14x14xf32>, %filter: tensor<32x16x1x1xf32>, %init: tensor<2x32x14x14xf32>) -> tensor<2x32x14x14xf32> {
  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %filter : tensor<2x16x14x14xf32>, tensor<32x16x1x1xf32>) outs(%init : tensor<2x32x14x14xf32>) -> tensor<2x32x14x14xf32>
  return %conv : tensor<2x32x14x14xf32>
}

// -----

// CHECK-LABEL: func.func @channels_last
// CHECK: tensor.collapse_shape %arg0 {{\[\[}}0, 1, 2], [3]] : tensor<2x14x14x16xf32> into tensor<392x16xf32>
// CHECK: tensor.collapse_shape %arg1 {{\[\[}}0, 1, 2], [3]] : tensor<1x1x16x32xf32> into tensor<16x32xf32>
func.func @channels_last(%image: tensor<2x14x14x16xf32>, %filter: tensor<1x1x16x32xf32>, %init: tensor<2x14x14x32xf32>) -> tensor<2x14x14x32xf32> {
  %conv = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %filter : tensor<2x14x14x16xf32>, tensor<1x1x16x32xf32>) outs(%init : tensor<2x14x14x32xf32>) -> tensor<2x14x14x32xf32>
  return %conv : tensor<2x14x14x32xf32>
}

// -----

// CHECK-LABEL: func.func @strided
// CHECK: tensor.extract %arg0{{.+}} : tensor<2x16x28x28xf32>
func.func @strided(%image: tensor<2x16x28x28xf32>, %filter: tensor<32x16x1x1xf32>, %init: tensor<2x32x14x14xf32>) -> tensor<2x32x14x14xf32> {
  %conv = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%image, %filter : tensor<2x16x28x28xf32>, tensor<32x16x1x1xf32>) outs(%init : tensor<2x32x14x14xf32>) -> tensor<2x32x14x14xf32>
  return %conv : tensor<2x32x14x14xf32>
}

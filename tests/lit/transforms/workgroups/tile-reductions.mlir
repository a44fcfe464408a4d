// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups,fuselage-fuse-producers,fuselage-tile-reductions))' | FileCheck %s

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#scale = affine_map<(d0, d1, d2) -> (d0, d2)>
#lhs = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#rhs = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

// Groups one by one, 32 of a group at a time. The dequantization moves into the loops, the fill
// stays before them.
// CHECK-LABEL: func.func @dequantized
// CHECK:         scf.forall
// CHECK:           %[[ZERO:.+]] = linalg.fill
// CHECK:           scf.for {{.*}} iter_args(%[[OUTER:.+]] = %[[ZERO]])
// CHECK:             scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[OUTER]])
// CHECK-NOT:           linalg.fill
// CHECK:               %[[W:.+]] = linalg.generic
// CHECK:                 arith.sitofp
// CHECK:                 -> tensor<1x32x64xf32>
// CHECK:               linalg.generic {{.*}} ins(%{{.+}}, %[[W]] : tensor<32x1x32xf32>, tensor<1x32x64xf32>) outs(%[[ACC]]
func.func @dequantized(%w: tensor<6x128x128xi4>, %s: tensor<6x128xf32>, %x: tensor<64x6x128xf32>) -> tensor<64x128xf32>
    attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %full = tensor.empty() : tensor<6x128x128xf32>
  %d = linalg.generic {indexing_maps = [#id3, #scale, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<6x128x128xi4>, tensor<6x128xf32>) outs(%full : tensor<6x128x128xf32>) {
  ^bb0(%in: i4, %f: f32, %o: f32):
    %i = arith.extsi %in : i4 to i32
    %g = arith.sitofp %i : i32 to f32
    %y = arith.mulf %g, %f : f32
    linalg.yield %y : f32
  } -> tensor<6x128x128xf32>
  %init = tensor.empty() : tensor<64x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<64x128xf32>) -> tensor<64x128xf32>
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %d : tensor<64x6x128xf32>, tensor<6x128x128xf32>) outs(%fill : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %y = arith.addf %o, %p : f32
    linalg.yield %y : f32
  } -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

// -----

// A convolution goes through its channels, 16 at a time, windows whole.
// CHECK-LABEL: func.func @conv
// CHECK:         scf.forall
// CHECK:           scf.for
// CHECK-NOT:         scf.for
// CHECK:             linalg.conv_2d_nhwc_hwcf
// CHECK-SAME:          tensor<1x6x10x16xf32>, tensor<3x3x16x32xf32>
func.func @conv(%x: tensor<1x58x58x64xf32>, %f: tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<1x56x56x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %f : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>) outs(%fill : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %r : tensor<1x56x56x64xf32>
}

// -----

// A short row is left to the threads of a workgroup, a long one is cut.
// CHECK-LABEL: func.func @short_row
// CHECK-NOT:     scf.for{{ }}
func.func @short_row(%x: tensor<64x512xf32>, %init: tensor<64xf32>) -> tensor<64xf32> attributes {fuselage.dispatch = 0 : i64} {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<64x512xf32>) outs(%init : tensor<64xf32>) dimensions = [1]
  return %r : tensor<64xf32>
}
// CHECK-LABEL: func.func @long_row
// CHECK:         scf.for
// CHECK:           linalg.reduce
// CHECK-SAME:        tensor<4x1024xf32>
func.func @long_row(%x: tensor<64x8192xf32>, %init: tensor<64xf32>) -> tensor<64xf32> attributes {fuselage.dispatch = 0 : i64} {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<64x8192xf32>) outs(%init : tensor<64xf32>) dimensions = [1]
  return %r : tensor<64xf32>
}

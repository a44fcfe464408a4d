// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-generalize))' | FileCheck %s --check-prefix=GENERAL
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-generalize,fuselage-specialize))' | FileCheck %s --check-prefix=NAMED

// A transposed operand keeps its map; a square one would not show by its shape that it was lost.

// NAMED-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// NAMED-DAG: #[[BT:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// NAMED-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

#a = affine_map<(m, n, k) -> (m, k)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// GENERAL-LABEL: func.func @f
// GENERAL:         linalg.fill
// GENERAL-COUNT-4: linalg.generic
// NAMED-LABEL:   func.func @f
// NAMED:           linalg.fill
// NAMED:           linalg.matmul ins(
// NAMED:           linalg.matmul indexing_maps = [#[[A]], #[[BT]], #[[C]]]
// NAMED:           linalg.exp
// NAMED:           linalg.transpose
func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.matmul indexing_maps = [#a, #bt, #c] ins(%a, %m : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = linalg.exp ins(%t : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  return %y : tensor<8x8xf32>
}

// A convolution gets the name of its layout again, with strides and dilations; its unit dimensions are part of that.

// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-generalize,fuselage-fold-unit-dims,fuselage-specialize))' | FileCheck %s --check-prefix=CONV
// CONV-LABEL: func.func @convolutions
//       CONV:   linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%{{.*}}, %{{.*}} : tensor<1x3x9x9xf32>, tensor<16x3x3x3xf32>)
//       CONV:   linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
func.func @convolutions(%x: tensor<1x3x9x9xf32>, %w: tensor<16x3x3x3xf32>, %d: tensor<16x3x3xf32>) -> tensor<1x16x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x5x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x5x5xf32>) -> tensor<1x16x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<1x3x9x9xf32>, tensor<16x3x3x3xf32>) outs(%f : tensor<1x16x5x5xf32>) -> tensor<1x16x5x5xf32>
  %e2 = tensor.empty() : tensor<1x16x2x2xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x16x2x2xf32>) -> tensor<1x16x2x2xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%c, %d : tensor<1x16x5x5xf32>, tensor<16x3x3xf32>) outs(%f2 : tensor<1x16x2x2xf32>) -> tensor<1x16x2x2xf32>
  return %r : tensor<1x16x2x2xf32>
}

// A loop may be parallel and index the inputs alone: that is no batch, and no matmul.
// NAMED-LABEL:   func.func @parallel_of_inputs
// NAMED:           linalg.generic
func.func @parallel_of_inputs(%a: tensor<4x32x128xf16>, %b: tensor<8x32x128xf16>, %c: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%a, %b : tensor<4x32x128xf16>, tensor<8x32x128xf16>) outs(%c : tensor<4x8xf16>) {
  ^bb0(%x: f16, %y: f16, %z: f16):
    %1 = arith.mulf %x, %y : f16
    %2 = arith.addf %1, %z : f16
    linalg.yield %2 : f16
  } -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// Upstream has no body for the named op.
// NAMED-LABEL:   func.func @indices
// NAMED:           linalg.generic
func.func @indices(%a: tensor<4xindex>, %b: tensor<4xindex>, %o: tensor<4xindex>) -> tensor<4xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<4xindex>, tensor<4xindex>) outs(%o : tensor<4xindex>) {
  ^bb0(%x: index, %y: index, %z: index):
    %1 = arith.addi %x, %y : index
    linalg.yield %1 : index
  } -> tensor<4xindex>
  return %0 : tensor<4xindex>
}

// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function rows --repeat 1 --print | FileCheck %s --check-prefix=ROWS
// RUN: fuselage run %s --function depth --repeat 1 --print | FileCheck %s --check-prefix=DEPTH
// RUN: fuselage run %s --function conv --repeat 1 --print | FileCheck %s --check-prefix=CONV

// The first row times 10, the other two times 100; what is in no group is 0.
// CHECK-LABEL: func.func @rows
//   CHECK-NOT:   chlo
//       CHECK:   linalg.generic
func.func @rows() -> tensor<4x1xf32> {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %w = stablehlo.constant dense<[[[10.0], [10.0]], [[100.0], [100.0]]]> : tensor<2x2x1xf32>
  %g = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x2xf32>, tensor<2x2x1xf32>, tensor<2xi32>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}
// ROWS:      30.]
// ROWS-NEXT: 700.]
// ROWS-NEXT: 1100.]
// ROWS-NEXT: 0.]

// Of a depth of three the first is one group, the others another.
// CHECK-LABEL: func.func @depth
//   CHECK-NOT:   chlo
func.func @depth() -> tensor<2x1x1xf32> {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %w = stablehlo.constant dense<[[10.0], [10.0], [10.0]]> : tensor<3x1xf32>
  %g = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>} : (tensor<1x3xf32>, tensor<3x1xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
  return %0 : tensor<2x1x1xf32>
}
// DEPTH: [{{\[*}}10.]
// DEPTH: 50.]

// A convolution whose padding is an operand.
// CHECK-LABEL: func.func @conv
//   CHECK-NOT:   stablehlo
//       CHECK:   linalg.conv_1d
func.func @conv() -> tensor<1x3x1xf32> {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %k = stablehlo.constant dense<1.0> : tensor<2x1x1xf32>
  %p = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) {batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi32>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}
// CONV:      1.]
// CONV-NEXT: 3.]
// CONV-NEXT: 5.]

// dot_general and convolution of StableHLO: named ops of linalg where one fits, linalg.generic elsewhere.
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function dots --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=DOTS
// RUN: fuselage run %s --function wide --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: fuselage run %s --function windows --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=WINDOWS
// RUN: fuselage run %s --function groups --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=GROUPS

// CHECK-LABEL: func.func @named
//       CHECK:   linalg.matmul
//       CHECK:   linalg.batch_matmul
//       CHECK:   linalg.matvec
//       CHECK:   linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
//   CHECK-NOT:   linalg.transpose
func.func @named(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<5x2x3xf32>, %d: tensor<5x3x4xf32>, %v: tensor<3xf32>,
                 %t: tensor<4x3xf32>) -> (tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<2xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dot_general %c, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  %2 = stablehlo.dot %a, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %3 = stablehlo.dot_general %a, %t, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %0, %1, %2, %3 : tensor<2x4xf32>, tensor<5x2x4xf32>, tensor<2xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func.func @convolutions
//       CHECK:   tensor.pad
//       CHECK:   linalg.conv_2d_nhwc_hwcf
//       CHECK:   linalg.conv_2d_nchw_fchw
//       CHECK:   linalg.conv_1d_nwc_wcf
func.func @convolutions(%a: tensor<1x5x5x2xf32>, %k: tensor<3x3x2x4xf32>, %b: tensor<1x2x5x5xf32>, %l: tensor<4x2x3x3xf32>,
                        %c: tensor<1x6x2xf32>, %m: tensor<3x2x4xf32>) -> (tensor<1x5x5x4xf32>, tensor<1x4x3x3xf32>, tensor<1x4x4xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x5x5x4xf32>
  %1 = stablehlo.convolution(%b, %l) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x5x5xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x3x3xf32>
  %2 = stablehlo.convolution(%c, %m) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x6x2xf32>, tensor<3x2x4xf32>) -> tensor<1x4x4xf32>
  return %0, %1, %2 : tensor<1x5x5x4xf32>, tensor<1x4x3x3xf32>, tensor<1x4x4xf32>
}

// Batch and reduced dimensions stand anywhere; the result has batch, left, right.
// DOTS: result 0 tensor<2x2x2xi32>{{$}}
// DOTS-NEXT: {{\[\[}}[11  5]
// DOTS-NEXT:   [14  6]]
// DOTS: result 1 tensor<2x2xi32>{{$}}
// DOTS-NEXT: {{\[\[}}17  7]
// DOTS-NEXT:  [25 13]]
// DOTS: result 2 tensor<i32>{{$}}
// DOTS-NEXT: 14
func.func @dots() -> (tensor<2x2x2xi32>, tensor<2x2xi32>, tensor<i32>) {
  %a = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
  %b = stablehlo.constant dense<[[[1, 0], [2, -1]], [[0, 3], [1, 1]]]> : tensor<2x2x2xi32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [2], contracting_dims = [0] x [1] : (tensor<2x2x2xi32>, tensor<2x2x2xi32>) -> tensor<2x2x2xi32>
  %1 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 2], rhs_contracting_dimensions = [1, 0]>}> : (tensor<2x2x2xi32>, tensor<2x2x2xi32>) -> tensor<2x2xi32>
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %2 = stablehlo.dot_general %c, %c, contracting_dims = [0] x [0] : (tensor<3xi32>, tensor<3xi32>) -> tensor<i32>
  return %0, %1, %2 : tensor<2x2x2xi32>, tensor<2x2xi32>, tensor<i32>
}

// Factors are as wide as the result: 200 * 2 has no place in ui8.
// WIDE: result 0 tensor<1x1xui32>{{$}}
// WIDE-NEXT: {{\[\[}}800]]
// WIDE: result 1 tensor<1x1xi32>{{$}}
// WIDE-NEXT: {{\[\[}}-56]]
func.func @wide() -> (tensor<1x1xui32>, tensor<1x1xi32>) {
  %a = stablehlo.constant dense<[[200, 2]]> : tensor<1x2xui8>
  %b = stablehlo.constant dense<[[2], [200]]> : tensor<2x1xui8>
  %c = stablehlo.constant dense<[[-128, 2]]> : tensor<1x2xi8>
  %d = stablehlo.constant dense<[[2], [100]]> : tensor<2x1xi8>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2xui8>, tensor<2x1xui8>) -> tensor<1x1xui32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<1x2xi8>, tensor<2x1xi8>) -> tensor<1x1xi32>
  return %0, %1 : tensor<1x1xui32>, tensor<1x1xi32>
}

// Strides, padding, dilation of image and kernel, and a kernel that runs backwards.
// WINDOWS: result 0 tensor<1x3x1xi32>{{$}}
// WINDOWS-NEXT: {{\[\[}}[10]
// WINDOWS-NEXT:   [32]
// WINDOWS-NEXT:   [ 4]]]
// WINDOWS: result 1 tensor<1x7x1xi32>{{$}}
// WINDOWS-NEXT: {{\[\[}}[10]
// WINDOWS-NEXT:   [ 1]
// WINDOWS-NEXT:   [20]
// WINDOWS-NEXT:   [ 2]
// WINDOWS-NEXT:   [30]
// WINDOWS-NEXT:   [ 3]
// WINDOWS-NEXT:   [40]]]
// WINDOWS: result 2 tensor<1x2x1xi32>{{$}}
// WINDOWS-NEXT: {{\[\[}}[31]
// WINDOWS-NEXT:   [42]]]
// WINDOWS: result 3 tensor<1x3x1xi32>{{$}}
// WINDOWS-NEXT: {{\[\[}}[12]
// WINDOWS-NEXT:   [23]
// WINDOWS-NEXT:   [34]]]
func.func @windows() -> (tensor<1x3x1xi32>, tensor<1x7x1xi32>, tensor<1x2x1xi32>, tensor<1x3x1xi32>) {
  %a = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
  %k = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>
  %1 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 0]], lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x7x1xi32>
  %2 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>
  %3 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>
  return %0, %1, %2, %3 : tensor<1x3x1xi32>, tensor<1x7x1xi32>, tensor<1x2x1xi32>, tensor<1x3x1xi32>
}

// Groups of features read their own inputs; groups of the batch are groups of the result's features.
// GROUPS: result 0 tensor<1x2x4xi32>{{$}}
// GROUPS-NEXT: {{\[\[}}[   1   10  200 2000]
// GROUPS-NEXT:   [   3   30  400 4000]]]
// GROUPS: result 1 tensor<1x2x4xi32>{{$}}
// GROUPS-NEXT: {{\[\[}}[   1   10  300 3000]
// GROUPS-NEXT:   [   2   20  400 4000]]]
func.func @groups() -> (tensor<1x2x4xi32>, tensor<1x2x4xi32>) {
  %a = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>
  %k = stablehlo.constant dense<[[[1, 10, 100, 1000]]]> : tensor<1x1x4xi32>
  %b = stablehlo.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x2xi32>, tensor<1x1x4xi32>) -> tensor<1x2x4xi32>
  %1 = stablehlo.convolution(%b, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x2x1xi32>, tensor<1x1x4xi32>) -> tensor<1x2x4xi32>
  return %0, %1 : tensor<1x2x4xi32>, tensor<1x2x4xi32>
}

// Ops of StableHLO that place elements anew: broadcasts, reshapes, transposes, slices, padding, joins.
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function broadcasts --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=BROADCASTS
// RUN: fuselage run %s --function reshapes --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=RESHAPES
// RUN: fuselage run %s --function iotas --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=IOTAS
// RUN: fuselage run %s --function slices --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=SLICES
// RUN: fuselage run %s --function dynamic_slices --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=DYNAMIC_SLICES
// RUN: fuselage run %s --function pads --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=PADS
// RUN: fuselage run %s --function joins --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=JOINS
// RUN: fuselage run %s --function empty --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=EMPTY

// CHECK-LABEL: func.func @named
//       CHECK:   arith.constant dense<1.000000e+00> : tensor<2x3xf32>
//       CHECK:   linalg.broadcast {{.*}} dimensions = [0]
//       CHECK:   linalg.transpose {{.*}} permutation = [1, 0]
//       CHECK:   tensor.expand_shape
//   CHECK-NOT:   stablehlo.
func.func @named(%x: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<3x1xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<3x1xf32>
}

// A dimension of 1 is repeated; dimensions may change places.
// BROADCASTS: result 0 tensor<2x3xi32>{{$}}
// BROADCASTS-NEXT: {{\[\[}}1 1 1]
// BROADCASTS-NEXT:  [2 2 2]]
// BROADCASTS: result 1 tensor<3x2xi32>{{$}}
// BROADCASTS-NEXT: {{\[\[}}1 4]
// BROADCASTS-NEXT:  [2 5]
// BROADCASTS-NEXT:  [3 6]]
// BROADCASTS: result 2 tensor<2x2xi32>{{$}}
// BROADCASTS-NEXT: {{\[\[}}7 7]
// BROADCASTS-NEXT:  [7 7]]
func.func @broadcasts() -> (tensor<2x3xi32>, tensor<3x2xi32>, tensor<2x2xi32>) {
  %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %b = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %c = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x3xi32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %2 = "stablehlo.broadcast_in_dim"(%c) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x2xi32>
  return %0, %1, %2 : tensor<2x3xi32>, tensor<3x2xi32>, tensor<2x2xi32>
}

// RESHAPES: result 0 tensor<3x2xi32>{{$}}
// RESHAPES-NEXT: {{\[\[}}1 2]
// RESHAPES-NEXT:  [3 4]
// RESHAPES-NEXT:  [5 6]]
// RESHAPES: result 1 tensor<6xi32>{{$}}
// RESHAPES-NEXT: [1 2 3 4 5 6]
// RESHAPES: result 2 tensor<1x2x3xi32>{{$}}
// RESHAPES-NEXT: {{\[\[}}[1 2 3]
// RESHAPES-NEXT:   [4 5 6]]]
// RESHAPES: result 3 tensor<3x2xi32>{{$}}
// RESHAPES-NEXT: {{\[\[}} 2  8]
// RESHAPES-NEXT:  [ 4 10]
// RESHAPES-NEXT:  [ 6 12]]
func.func @reshapes() -> (tensor<3x2xi32>, tensor<6xi32>, tensor<1x2x3xi32>, tensor<3x2xi32>) {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<6xi32>
  %2 = stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<1x2x3xi32>
  %3 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %4 = stablehlo.add %3, %3 : tensor<3x2xi32>
  return %0, %1, %2, %4 : tensor<3x2xi32>, tensor<6xi32>, tensor<1x2x3xi32>, tensor<3x2xi32>
}

// IOTAS: result 0 tensor<2x3xi32>{{$}}
// IOTAS-NEXT: {{\[\[}}0 0 0]
// IOTAS-NEXT:  [1 1 1]]
// IOTAS: result 1 tensor<2x3xf32>{{$}}
// IOTAS-NEXT: {{\[\[}}0. 1. 2.]
// IOTAS-NEXT:  [0. 1. 2.]]
// IOTAS: result 2 tensor<4xui8>{{$}}
// IOTAS-NEXT: [0 1 2 3]
func.func @iotas() -> (tensor<2x3xi32>, tensor<2x3xf32>, tensor<4xui8>) {
  %0 = stablehlo.iota dim = 0 : tensor<2x3xi32>
  %1 = stablehlo.iota dim = 1 : tensor<2x3xf32>
  %2 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xui8>
  return %0, %1, %2 : tensor<2x3xi32>, tensor<2x3xf32>, tensor<4xui8>
}

// SLICES: result 0 tensor<1x2xi32>{{$}}
// SLICES-NEXT: {{\[\[}}1 4]]
// SLICES: result 1 tensor<2x2xi32>{{$}}
// SLICES-NEXT: {{\[\[}}2 4]
// SLICES-NEXT:  [4 8]]
// SLICES: result 2 tensor<3x1xi32>{{$}}
// SLICES-NEXT: {{\[\[}}0]
// SLICES-NEXT:  [4]
// SLICES-NEXT:  [8]]
func.func @slices() -> (tensor<1x2xi32>, tensor<2x2xi32>, tensor<3x1xi32>) {
  %a = stablehlo.iota dim = 1 : tensor<3x5xi32>
  %b = stablehlo.iota dim = 0 : tensor<3x5xi32>
  %c = stablehlo.multiply %a, %b : tensor<3x5xi32>
  %0 = stablehlo.slice %c [1:2, 1:5:3] : (tensor<3x5xi32>) -> tensor<1x2xi32>
  %1 = "stablehlo.slice"(%c) <{start_indices = array<i64: 1, 2>, limit_indices = array<i64: 3, 5>, strides = array<i64: 1, 2>}> : (tensor<3x5xi32>) -> tensor<2x2xi32>
  %2 = stablehlo.slice %c [0:3, 4:5] : (tensor<3x5xi32>) -> tensor<3x1xi32>
  return %0, %1, %2 : tensor<1x2xi32>, tensor<2x2xi32>, tensor<3x1xi32>
}

// A start that is too small or too large is moved to where the slice fits.
// DYNAMIC_SLICES: result 0 tensor<2x2xi32>{{$}}
// DYNAMIC_SLICES-NEXT: {{\[\[}}4 6]
// DYNAMIC_SLICES-NEXT:  [6 8]]
// DYNAMIC_SLICES: result 1 tensor<2x2xi32>{{$}}
// DYNAMIC_SLICES-NEXT: {{\[\[}}2 3]
// DYNAMIC_SLICES-NEXT:  [3 4]]
// DYNAMIC_SLICES: result 2 tensor<3x4xi32>{{$}}
// DYNAMIC_SLICES-NEXT: {{\[\[}} 0  1  2  3]
// DYNAMIC_SLICES-NEXT:  [70 71  3  4]
// DYNAMIC_SLICES-NEXT:  [72 73  4  5]]
func.func @dynamic_slices() -> (tensor<2x2xi32>, tensor<2x2xi32>, tensor<3x4xi32>) {
  %a = stablehlo.iota dim = 1 : tensor<3x4xi32>
  %b = stablehlo.iota dim = 0 : tensor<3x4xi32>
  %c = stablehlo.add %a, %b : tensor<3x4xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %low = stablehlo.constant dense<-5> : tensor<i32>
  %high = stablehlo.constant dense<9> : tensor<i32>
  %part = stablehlo.constant dense<[[70, 71], [72, 73]]> : tensor<2x2xi32>
  %0 = stablehlo.dynamic_slice %c, %one, %one, sizes = [2, 2] : (tensor<3x4xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
  %1 = stablehlo.dynamic_slice %c, %low, %high, sizes = [2, 2] : (tensor<3x4xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
  %2 = stablehlo.dynamic_update_slice %c, %part, %high, %low : (tensor<3x4xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> tensor<3x4xi32>
  %3 = stablehlo.add %0, %0 : tensor<2x2xi32>
  return %3, %1, %2 : tensor<2x2xi32>, tensor<2x2xi32>, tensor<3x4xi32>
}

// Elements of padding before, after and between; negative edges take elements away.
// PADS: result 0 tensor<4x5xi32>{{$}}
// PADS-NEXT: {{\[\[}}9 9 9 9 9]
// PADS-NEXT:  [1 2 3 9 9]
// PADS-NEXT:  [4 5 6 9 9]
// PADS-NEXT:  [9 9 9 9 9]]
// PADS: result 1 tensor<1x3xi32>{{$}}
// PADS-NEXT: {{\[\[}}9 4 5]]
// PADS: result 2 tensor<3x6xi32>{{$}}
// PADS-NEXT: {{\[\[}}9 2 9 3 9 9]
// PADS-NEXT:  [9 9 9 9 9 9]
// PADS-NEXT:  [9 5 9 6 9 9]]
func.func @pads() -> (tensor<4x5xi32>, tensor<1x3xi32>, tensor<3x6xi32>) {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %p = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.pad %a, %p, low = [1, 0], high = [1, 2], interior = [0, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<4x5xi32>
  %1 = stablehlo.pad %a, %p, low = [-1, 1], high = [0, -1], interior = [0, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<1x3xi32>
  %2 = stablehlo.pad %a, %p, low = [0, -1], high = [0, 2], interior = [1, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x6xi32>
  return %0, %1, %2 : tensor<4x5xi32>, tensor<1x3xi32>, tensor<3x6xi32>
}

// JOINS: result 0 tensor<2x4xi32>{{$}}
// JOINS-NEXT: {{\[\[}}1 2 3 7]
// JOINS-NEXT:  [4 5 6 8]]
// JOINS: result 1 tensor<2x3xi32>{{$}}
// JOINS-NEXT: {{\[\[}}3 2 1]
// JOINS-NEXT:  [6 5 4]]
// JOINS: result 2 tensor<2x3xi32>{{$}}
// JOINS-NEXT: {{\[\[}}6 5 4]
// JOINS-NEXT:  [3 2 1]]
func.func @joins() -> (tensor<2x4xi32>, tensor<2x3xi32>, tensor<2x3xi32>) {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<[[7], [8]]> : tensor<2x1xi32>
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x4xi32>
  %1 = stablehlo.reverse %a, dims = [1] : tensor<2x3xi32>
  %2 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xi32>
  return %0, %1, %2 : tensor<2x4xi32>, tensor<2x3xi32>, tensor<2x3xi32>
}

// Nothing is taken, put in, or left.
// EMPTY: result 0 tensor<0x3xi32>{{$}}
// EMPTY-NEXT: []
// EMPTY: result 1 tensor<2x3xi32>{{$}}
// EMPTY-NEXT: {{\[\[}} 2  4  6]
// EMPTY-NEXT:  [ 8 10 12]]
// EMPTY: result 2 tensor<2x3xi32>{{$}}
// EMPTY-NEXT: {{\[\[}}1 2 3]
// EMPTY-NEXT:  [4 5 6]]
func.func @empty() -> (tensor<0x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>) {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.slice %a [2:2, 0:3] : (tensor<2x3xi32>) -> tensor<0x3xi32>
  %1 = stablehlo.dynamic_update_slice %a, %0, %zero, %zero : (tensor<2x3xi32>, tensor<0x3xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
  %2 = stablehlo.add %1, %a : tensor<2x3xi32>
  %3 = stablehlo.concatenate %0, %a, dim = 0 : (tensor<0x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0, %2, %3 : tensor<0x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>
}

// reduce, reduce_window and select_and_scatter of StableHLO, with any body and several operands.
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function sums --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=SUMS
// RUN: fuselage run %s --function argmax --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=ARGMAX
// RUN: fuselage run %s --function windows --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=WINDOWS
// RUN: fuselage run %s --function select_and_scatter --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=SELECT_AND_SCATTER

// CHECK-LABEL: func.func @named
//       CHECK:   linalg.reduce { arith.addf } {{.*}} dimensions = [1]
//       CHECK:   linalg.reduce { arith.maximumf }

func.func @named(%x: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = "stablehlo.reduce"(%x, %low) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1 : tensor<2xf32>, tensor<3xf32>
}

// SUMS: result 0 tensor<2xi32>{{$}}
// SUMS-NEXT: [16 25]
// SUMS: result 1 tensor<3xi32>{{$}}
// SUMS-NEXT: [ 40 100 180]
// SUMS: result 2 tensor<i32>{{$}}
// SUMS-NEXT: 1
func.func @sums() -> (tensor<2xi32>, tensor<3xi32>, tensor<i32>) {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %ten) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = stablehlo.reduce(%a init: %ten) applies stablehlo.multiply across dimensions = [0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3xi32>
  %2 = stablehlo.reduce(%a init: %ten) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1, %2 : tensor<2xi32>, tensor<3xi32>, tensor<i32>
}

// The greatest element and where it is; in the op's own form and in MLIR's.
// ARGMAX: result 0 tensor<2xi32>{{$}}
// ARGMAX-NEXT: [7 9]
// ARGMAX: result 1 tensor<2xi32>{{$}}
// ARGMAX-NEXT: [1 0]
// ARGMAX: result 2 tensor<2xi32>{{$}}
// ARGMAX-NEXT: [7 9]
// ARGMAX: result 3 tensor<2xi32>{{$}}
// ARGMAX-NEXT: [1 0]
func.func @argmax() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %a = stablehlo.constant dense<[[1, 7, 3], [9, 5, 9]]> : tensor<2x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %low = stablehlo.constant dense<-2147483648> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [1] : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
   reducer(%x: tensor<i32>, %y: tensor<i32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %c = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = stablehlo.select %c, %x, %y : tensor<i1>, tensor<i32>
    %t = stablehlo.select %c, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %s, %t : tensor<i32>, tensor<i32>
  }
  %1:2 = "stablehlo.reduce"(%a, %i, %low, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<i32>, %p: tensor<i32>, %y: tensor<i32>, %q: tensor<i32>):
    %c = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = stablehlo.select %c, %x, %y : tensor<i1>, tensor<i32>
    %t = stablehlo.select %c, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %s, %t : tensor<i32>, tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// Strides, padding, dilation of the operand and of the window.
// WINDOWS: result 0 tensor<2xi32>{{$}}
// WINDOWS-NEXT: [3 7]
// WINDOWS: result 1 tensor<5xi32>{{$}}
// WINDOWS-NEXT: [1 2 3 4 4]
// WINDOWS: result 2 tensor<2xi32>{{$}}
// WINDOWS-NEXT: [4 6]
// WINDOWS: result 3 tensor<3xi32>{{$}}
// WINDOWS-NEXT: [3 5 7]
func.func @windows() -> (tensor<2xi32>, tensor<5xi32>, tensor<2xi32>, tensor<3xi32>) {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %1 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<5xi32>
  %2 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2>, window_dilations = array<i64: 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %3 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, base_dilations = array<i64: 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<5xi32>, tensor<2xi32>, tensor<3xi32>
}

// Each window selects an element, and the sources of all windows that selected it are added up.
// SELECT_AND_SCATTER: result 0 tensor<5xi32>{{$}}
// SELECT_AND_SCATTER-NEXT: [ 0 10  0 20  0]
// SELECT_AND_SCATTER: result 1 tensor<4x4xi32>{{$}}
// SELECT_AND_SCATTER-NEXT: {{\[\[}} 0  3  0  9]
// SELECT_AND_SCATTER-NEXT:  [ 0  0  0  0]
// SELECT_AND_SCATTER-NEXT:  [11 13  0  0]
// SELECT_AND_SCATTER-NEXT:  [ 0  0  0  9]]
func.func @select_and_scatter() -> (tensor<5xi32>, tensor<4x4xi32>) {
  %a = stablehlo.constant dense<[1, 7, 3, 7, 2]> : tensor<5xi32>
  %s = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %zero) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %c = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %t = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>
  %b = stablehlo.constant dense<[[1, 5, 2, 5], [4, 0, 6, 3], [9, 9, 1, 1], [0, 2, 3, 8]]> : tensor<4x4xi32>
  %r = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %1 = "stablehlo.select_and_scatter"(%b, %r, %zero) <{window_dimensions = array<i64: 3, 3>, window_strides = array<i64: 2, 2>, padding = dense<[[2, 1], [1, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %c = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %t = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<4x4xi32>, tensor<3x3xi32>, tensor<i32>) -> tensor<4x4xi32>
  return %0, %1 : tensor<5xi32>, tensor<4x4xi32>
}

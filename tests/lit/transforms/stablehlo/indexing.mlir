// gather, scatter and sort of StableHLO: any dimension numbers, any body, any comparator.
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage run %s --function gathers --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=GATHERS
// RUN: fuselage run %s --function scatters --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=SCATTERS
// RUN: fuselage run %s --function sorts --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=SORTS

// The indices are an operand: what computes them can be fused.
// CHECK-LABEL: func.func @embedding
//       CHECK:   linalg.generic {{.*}} ins(%arg1 : tensor<2xi32>)
//       CHECK:     tensor.extract %arg0
//   CHECK-NOT:   stablehlo.
func.func @embedding(%table: tensor<9x4xf32>, %ids: tensor<2xi32>) -> tensor<2x4xf32> {
  %0 = stablehlo.reshape %ids : (tensor<2xi32>) -> tensor<2x1xi32>
  %1 = "stablehlo.gather"(%table, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Slices that would begin too late begin where they fit.
// GATHERS: result 0 tensor<3x2xi32>{{$}}
// GATHERS-NEXT: {{\[\[}}10 11]
// GATHERS-NEXT:  [ 9 10]
// GATHERS-NEXT:  [ 3  4]]
// GATHERS: result 1 tensor<2x2x2xi32>{{$}}
// GATHERS-NEXT: {{\[\[}}[1 2]
// GATHERS-NEXT:   [3 4]]
// GATHERS: result 2 tensor<2x3xi32>{{$}}
// GATHERS-NEXT: {{\[\[}}3 1 2]
// GATHERS-NEXT:  [6 6 8]]
func.func @gathers() -> (tensor<3x2xi32>, tensor<2x2x2xi32>, tensor<2x3xi32>) {
  %a = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %i = stablehlo.constant dense<[[2, 1], [9, -3], [0, 2]]> : tensor<3x2xi32>
  %j = stablehlo.constant dense<[0, 9]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x4xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  %1 = "stablehlo.gather"(%a, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 2>}> : (tensor<3x4xi32>, tensor<2xi32>) -> tensor<2x2x2xi32>
  %k = stablehlo.constant dense<[[2, 0, 1], [1, 1, 3]]> : tensor<2x3xi32>
  %b = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %2 = "stablehlo.gather"(%b, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x4xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0, %1, %2 : tensor<3x2xi32>, tensor<2x2x2xi32>, tensor<2x3xi32>
}

// Updates outside of the tensor are left out; two of one place are combined one after the other.
// SCATTERS: result 0 tensor<4xi32>{{$}}
// SCATTERS-NEXT: [ 1 42  3  4]
// SCATTERS: result 1 tensor<3x2xi32>{{$}}
// SCATTERS-NEXT: {{\[\[}}90 95]
// SCATTERS-NEXT:  [ 3  4]
// SCATTERS-NEXT:  [70 80]]
// SCATTERS: result 2 tensor<2x3xi32>{{$}}
// SCATTERS-NEXT: {{\[\[}}0 5 0]
// SCATTERS-NEXT:  [0 0 6]]
func.func @scatters() -> (tensor<4xi32>, tensor<3x2xi32>, tensor<2x3xi32>) {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %i = stablehlo.constant dense<[[1], [7], [1], [-1]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<4xi32>
  %b = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %j = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %v = stablehlo.constant dense<[[70, 80], [90, 95]]> : tensor<2x2xi32>
  %1 = "stablehlo.scatter"(%b, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %y : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
  %c = stablehlo.constant dense<0> : tensor<2x3xi32>
  %k = stablehlo.constant dense<[[[1]], [[2]]]> : tensor<2x1x1xi32>
  %w = stablehlo.constant dense<[[5], [6]]> : tensor<2x1xi32>
  %2 = "stablehlo.scatter"(%c, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x1x1xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<3x2xi32>, tensor<2x3xi32>
}

// Equal elements keep their order: the second operand shows it.
// SORTS: result 0 tensor<7xi32>{{$}}
// SORTS-NEXT: [3 3 3 2 2 1 1]
// SORTS: result 1 tensor<7xi32>{{$}}
// SORTS-NEXT: [0 2 5 3 6 1 4]
// SORTS: result 2 tensor<3x2xf32>{{$}}
// SORTS-NEXT: {{\[\[}} 1. -1.]
// SORTS-NEXT:  [ 2.  0.]
// SORTS-NEXT:  [ 3.  5.]]
func.func @sorts() -> (tensor<7xi32>, tensor<7xi32>, tensor<3x2xf32>) {
  %a = stablehlo.constant dense<[3, 1, 3, 2, 1, 3, 2]> : tensor<7xi32>
  %i = stablehlo.iota dim = 0 : tensor<7xi32>
  %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p: tensor<i32>, %q: tensor<i32>):
    %c = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<7xi32>, tensor<7xi32>) -> (tensor<7xi32>, tensor<7xi32>)
  %b = stablehlo.constant dense<[[3.0, -1.0], [1.0, 5.0], [2.0, 0.0]]> : tensor<3x2xf32>
  %1 = "stablehlo.sort"(%b) <{dimension = -2 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0#0, %0#1, %1 : tensor<7xi32>, tensor<7xi32>, tensor<3x2xf32>
}

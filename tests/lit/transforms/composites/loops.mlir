// What becomes loops, on values that a reader can check.
// RUN: fuselage-opt --tolerant --fuselage-decompose-composites %s | FileCheck %s
// RUN: fuselage run %s --function scan --print | FileCheck %s --check-prefix=SCAN
// RUN: fuselage run %s --function exclusive --print | FileCheck %s --check-prefix=EXCL
// RUN: fuselage run %s --function sort --print | FileCheck %s --check-prefix=SORT
// RUN: fuselage run %s --function topk --print | FileCheck %s --check-prefix=TOPK
// RUN: fuselage run %s --function scatter --print | FileCheck %s --check-prefix=SCATTER
// RUN: fuselage run %s --function gather --print | FileCheck %s --check-prefix=GATHER
// RUN: fuselage run %s --function arg_compare --print | FileCheck %s --check-prefix=ARG
// RUN: fuselage run %s --function custom --print | FileCheck %s --check-prefix=CUSTOM

// CHECK-NOT: iree_linalg_ext
// CHECK-NOT: tm_tensor

// SCAN: [ 1  3  6 10]
// SCAN: {{^}}10
func.func @scan() -> (tensor<4xi32>, tensor<i32>) {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %o = tensor.empty() : tensor<4xi32>
  %a = arith.constant dense<0> : tensor<i32>
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%x : tensor<4xi32>) outs(%o, %a : tensor<4xi32>, tensor<i32>) {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    iree_linalg_ext.yield %s : i32
  } -> tensor<4xi32>, tensor<i32>
  return %0#0, %0#1 : tensor<4xi32>, tensor<i32>
}

// EXCL: [ 7  8 10 13]
// EXCL: {{^}}13
func.func @exclusive() -> (tensor<4xi32>, tensor<i32>) {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %o = tensor.empty() : tensor<4xi32>
  %a = arith.constant dense<7> : tensor<i32>
  %0:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%x : tensor<4xi32>) outs(%o, %a : tensor<4xi32>, tensor<i32>) {
  ^bb0(%l: i32, %r: i32):
    %s = arith.addi %l, %r : i32
    tm_tensor.yield %s : i32
  } -> tensor<4xi32>, tensor<i32>
  return %0#0, %0#1 : tensor<4xi32>, tensor<i32>
}

// Rows are sorted, and what comes with them moves along.
//      SORT: {{\[\[}}1 2 3]
// SORT-NEXT:  [0 5 9]]
//      SORT: {{\[\[}}2 1 0]
// SORT-NEXT:  [1 0 2]]
func.func @sort() -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %x = arith.constant dense<[[3, 2, 1], [5, 0, 9]]> : tensor<2x3xi32>
  %i = arith.constant dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  %0:2 = iree_linalg_ext.sort dimension(1) outs(%x, %i : tensor<2x3xi32>, tensor<2x3xi32>) {
  ^bb0(%l: i32, %r: i32, %li: i32, %ri: i32):
    %s = arith.cmpi slt, %l, %r : i32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2x3xi32>, tensor<2x3xi32>
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<2x3xi32>
}

// The largest two; of equal ones the first.
//      TOPK: {{\[\[}}9. 7.]
// TOPK-NEXT:  [4. 4.]]
//      TOPK: {{\[\[}}1 3]
// TOPK-NEXT:  [0 2]]
func.func @topk() -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  %x = arith.constant dense<[[1.0, 9.0, 3.0, 7.0], [4.0, 2.0, 4.0, 4.0]]> : tensor<2x4xf32>
  %v = arith.constant dense<0xFF800000> : tensor<2x2xf32>
  %i = arith.constant dense<0> : tensor<2x2xi32>
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<2x4xf32>) outs(%v, %i : tensor<2x2xf32>, tensor<2x2xi32>) {
  ^bb0(%l: f32, %r: f32):
    %s = arith.cmpf ogt, %l, %r : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2x2xf32>, tensor<2x2xi32>
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xi32>
}

// Two updates of the same row add up.
//      SCATTER: {{\[\[}}0. 0.]
// SCATTER-NEXT:  [4. 6.]
// SCATTER-NEXT:  [5. 6.]]
func.func @scatter() -> tensor<3x2xf32> {
  %o = arith.constant dense<0.0> : tensor<3x2xf32>
  %u = arith.constant dense<[[1.0, 2.0], [5.0, 6.0], [3.0, 4.0]]> : tensor<3x2xf32>
  %i = arith.constant dense<[[1], [2], [1]]> : tensor<3x1xi32>
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i : tensor<3x2xf32>, tensor<3x1xi32>) outs(%o : tensor<3x2xf32>) {
  ^bb0(%new: f32, %old: f32):
    %s = arith.addf %new, %old : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

//      GATHER: {{\[\[}}5. 6.]
// GATHER-NEXT:  [1. 2.]]
func.func @gather() -> tensor<2x2xf32> {
  %s = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %i = arith.constant dense<[2, 0]> : tensor<2xi32>
  %o = tensor.empty() : tensor<2x2xf32>
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : tensor<3x2xf32>, tensor<2xi32>) outs(%o : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// Of equal ones the first.
// ARG: [3. 9.]
// ARG: [2 0]
func.func @arg_compare() -> (tensor<2xf32>, tensor<2xi32>) {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [9.0, 9.0, 3.0]]> : tensor<2x3xf32>
  %v = arith.constant dense<0xFF800000> : tensor<2xf32>
  %i = arith.constant dense<0> : tensor<2xi32>
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<2x3xf32>) outs(%v, %i : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%l: f32, %r: f32):
    %s = arith.cmpf ogt, %l, %r : f32
    iree_linalg_ext.yield %s : i1
  } -> tensor<2xf32>, tensor<2xi32>
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}

// CUSTOM: {{\[\[}}11.]]
func.func @custom() -> tensor<1x1xf32> {
  %a = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b = arith.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %o = arith.constant dense<0.0> : tensor<1x1xf32>
  %0 = iree_linalg_ext.custom_op {indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, s0)>, affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>]} ins(%a, %b : tensor<1x2xf32>, tensor<2x1xf32>) outs(%o : tensor<1x1xf32>) {
  ^bb0(%l: tensor<?x?xf32>, %r: tensor<?x?xf32>, %c: tensor<?x?xf32>):
    %1 = linalg.matmul ins(%l, %r : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
    iree_linalg_ext.yield %1 : tensor<?x?xf32>
  } -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

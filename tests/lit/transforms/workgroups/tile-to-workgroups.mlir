// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups))' | FileCheck %s

// A contraction takes 32 x 64 of its output, a batch entry at a time. The choice is written down,
// with the reduction steps for the next pass.
// CHECK-LABEL: func.func @batch_matmul
// CHECK:         linalg.fill
// CHECK:         scf.forall (%{{.+}}, %{{.+}}, %{{.+}}) in (12, 4, 2)
// CHECK:           linalg.batch_matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 0, 32>, workgroup = array<i64: 1, 32, 64, 0>}}
// CHECK-SAME:        tensor<1x32x64xf32>, tensor<1x64x64xf32>
// CHECK:         {fuselage.tiling = {workgroup = array<i64: 1, 32, 64, 0>}, mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]}
func.func @batch_matmul(%a: tensor<12x128x64xf32>, %b: tensor<12x64x128xf32>) -> tensor<12x128x128xf32>
    attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<12x128x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
  %mm = linalg.batch_matmul ins(%a, %b : tensor<12x128x64xf32>, tensor<12x64x128xf32>)
      outs(%fill : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
  return %mm : tensor<12x128x128xf32>
}

// -----

// The last op is tiled, by what the contraction before it wants; the region keeps it.
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func.func @matmul_bias_in_region
// CHECK:         flow.dispatch.region
// CHECK:           linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 32>}}
// CHECK:           scf.forall (%{{.+}}, %{{.+}}) in (4, 12) shared_outs
// CHECK:             tensor.extract_slice %{{.+}} [32, 64] [1, 1] : tensor<128x768xf32> to tensor<32x64xf32>
// CHECK:           flow.return
func.func @matmul_bias_in_region(%a: tensor<128x768xf32>, %b: tensor<768x768xf32>, %bias: tensor<768xf32>) -> tensor<128x768xf32> {
  %r = flow.dispatch.region -> (tensor<128x768xf32>) {
    %zero = arith.constant 0.0 : f32
    %init = tensor.empty() : tensor<128x768xf32>
    %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<128x768xf32>) -> tensor<128x768xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<128x768xf32>, tensor<768x768xf32>)
        outs(%fill : tensor<128x768xf32>) -> tensor<128x768xf32>
    %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
        ins(%mm, %bias : tensor<128x768xf32>, tensor<768xf32>) outs(%init : tensor<128x768xf32>) {
    ^bb0(%in: f32, %c: f32, %out: f32):
      %sum = arith.addf %in, %c : f32
      linalg.yield %sum : f32
    } -> tensor<128x768xf32>
    flow.return %y : tensor<128x768xf32>
  }
  return %r : tensor<128x768xf32>
}

// -----

// Rows that are reduced stay whole; a workgroup takes four of them.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @divide_by_sum
// CHECK:         scf.forall (%{{.+}}) in (64)
// CHECK:           linalg.generic
// CHECK-SAME:        tensor<4x512xf32>
// CHECK:         mapping = [#gpu.block<x>]
func.func @divide_by_sum(%x: tensor<256x512xf32>) -> tensor<256x512xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<256xf32>
  %full = tensor.empty() : tensor<256x512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%rows : tensor<256xf32>) -> tensor<256xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<256x512xf32>) outs(%fill : tensor<256xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<256xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<256x512xf32>, tensor<256xf32>) outs(%full : tensor<256x512xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %d = arith.divf %in, %s : f32
    linalg.yield %d : f32
  } -> tensor<256x512xf32>
  return %r : tensor<256x512xf32>
}

// -----

// A prime size without intermediates: the last tile is smaller.
// CHECK-LABEL: func.func @prime
// CHECK:         scf.forall (%[[I:.+]]) in (3)
// CHECK:           affine.min
// CHECK:           tensor<?xf32>
func.func @prime(%x: tensor<2053xf32>) -> tensor<2053xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<2053xf32>
  %r = linalg.exp ins(%x : tensor<2053xf32>) outs(%init : tensor<2053xf32>) -> tensor<2053xf32>
  return %r : tensor<2053xf32>
}

// -----

// Without a parallel loop there is one workgroup.
// CHECK-LABEL: func.func @total
// CHECK:         scf.forall (%{{.+}}) in (1) shared_outs
// CHECK:           linalg.reduce
// CHECK:           tensor.parallel_insert_slice %{{.+}} into %{{.+}}[] [] [] : tensor<f32> into tensor<f32>
func.func @total(%x: tensor<64xf32>, %init: tensor<f32>) -> tensor<f32> attributes {fuselage.dispatch = 0 : i64} {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<64xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

// -----

// More than three loops use the linear ids.
// CHECK-LABEL: func.func @four_loops
// CHECK:         in (2, 3, 5, 8)
// CHECK:         mapping = [#gpu.block<linear_dim_3>, #gpu.block<linear_dim_2>, #gpu.block<linear_dim_1>, #gpu.block<linear_dim_0>]
func.func @four_loops(%x: tensor<2x3x5x8x1031xf32>) -> tensor<2x3x5x8x1031xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<2x3x5x8x1031xf32>
  %r = linalg.exp ins(%x : tensor<2x3x5x8x1031xf32>) outs(%init : tensor<2x3x5x8x1031xf32>) -> tensor<2x3x5x8x1031xf32>
  return %r : tensor<2x3x5x8x1031xf32>
}

// -----

// y and z take 65535 workgroups at most: the longest loop is x.
// CHECK-LABEL: func.func @tall
// CHECK:         in (100000, 2)
// CHECK:         mapping = [#gpu.block<x>, #gpu.block<y>]
func.func @tall(%x: tensor<100000x2048xf32>) -> tensor<100000x2048xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<100000x2048xf32>
  %r = linalg.exp ins(%x : tensor<100000x2048xf32>) outs(%init : tensor<100000x2048xf32>) -> tensor<100000x2048xf32>
  return %r : tensor<100000x2048xf32>
}

// -----

// A kept dimension becomes a loop of one iteration, tensor.pad a selection, softmax its parts.
#keep = affine_map<(d0, d1) -> (d0, 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[KEEP:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @normalized
// CHECK-NOT:     tensor.pad
// CHECK-NOT:     linalg.softmax
// CHECK:         #[[KEEP]]{{.*}}"parallel", "reduction", "parallel"
func.func @normalized(%x: tensor<8x30xf32>, %init: tensor<8x1xf32>) -> tensor<8x1xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %pad = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x30xf32> to tensor<8x32xf32>
  %full = tensor.empty() : tensor<8x32xf32>
  %p = linalg.softmax dimension(1) ins(%pad : tensor<8x32xf32>) outs(%full : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r = linalg.generic {indexing_maps = [#id, #keep], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<8x32xf32>) outs(%init : tensor<8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<8x1xf32>
  return %r : tensor<8x1xf32>
}

// -----

// What is not a dispatch is left alone.
// CHECK-LABEL: func.func @no_dispatch
// CHECK-NOT:     scf.forall
func.func @no_dispatch(%x: tensor<64xf32>) -> tensor<64xf32> {
  %init = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%x : tensor<64xf32>) outs(%init : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

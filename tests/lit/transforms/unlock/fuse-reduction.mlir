// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-fuse-reduction))' | FileCheck %s

// All of a softmax over rows is one dispatch, with the scale before it.

// CHECK-LABEL: func.func @softmax
// CHECK-NOT:     linalg
// CHECK:         flow.dispatch.region
// CHECK:           arith.mulf
// CHECK:           arith.maximumf
// CHECK:           math.exp
// CHECK:           arith.addf
// CHECK:           arith.divf
// CHECK:           flow.return
// CHECK-NOT:     linalg
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @softmax(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %er = tensor.empty() : tensor<6xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.mulf %in, %scale : f32
    linalg.yield %v : f32
  } -> tensor<6x8xf32>
  %max_init = linalg.fill ins(%lowest : f32) outs(%er : tensor<6xf32>) -> tensor<6xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<6x8xf32>) outs(%max_init : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.maximumf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<6xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %max : tensor<6x8xf32>, tensor<6xf32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %v = math.exp %d : f32
    linalg.yield %v : f32
  } -> tensor<6x8xf32>
  %sum_init = linalg.fill ins(%zero : f32) outs(%er : tensor<6xf32>) -> tensor<6xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<6x8xf32>) outs(%sum_init : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<6xf32>
  %div = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<6x8xf32>, tensor<6xf32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %v = arith.divf %in, %m : f32
    linalg.yield %v : f32
  } -> tensor<6x8xf32>
  return %div : tensor<6x8xf32>
}

// -----

// A sum over the rows themselves needs all of them.

// CHECK-LABEL: func.func @both_ways
// CHECK-NOT:     flow.dispatch.region
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row2 = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @both_ways(%x: tensor<6x8xf32>, %i: tensor<6xf32>, %j: tensor<f32>) -> tensor<f32> {
  %rows = linalg.generic {indexing_maps = [#id2, #row2], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x8xf32>) outs(%i : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<6xf32>
  // expected-remark @below {{stays out of the dispatch of the reduction that it reads: it reduces over the rows}}
  %all = linalg.generic {indexing_maps = [#one, #none], iterator_types = ["reduction"]}
      ins(%rows : tensor<6xf32>) outs(%j : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  return %all : tensor<f32>
}

#matrix = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// One reduction and what reads it, with the op that both read: computed once, and stored by nobody.
// CHECK-LABEL: @widened
// CHECK: flow.dispatch.region -> (tensor<8x16xf16>)
// CHECK: arith.extf
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: flow.return
// CHECK-NOT: linalg.generic
func.func @widened(%x: tensor<8x16xf16>) -> tensor<8x16xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %half = tensor.empty() : tensor<8x16xf16>
  %row = tensor.empty() : tensor<8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %wide = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf16>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f16, %out: f32):
    %w = arith.extf %in : f16 to f32
    linalg.yield %w : f32
  } -> tensor<8x16xf32>
  %sum = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%wide : tensor<8x16xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %in, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#matrix, #rows, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %sum : tensor<8x16xf32>, tensor<8xf32>) outs(%half : tensor<8x16xf16>) {
  ^bb0(%in: f32, %s: f32, %out: f16):
    %d = arith.subf %in, %s : f32
    %t = arith.truncf %d : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x16xf16>
  return %r : tensor<8x16xf16>
}

// Others read the op in front as well: it leaves the dispatch as a second result.
// CHECK-LABEL: @shared_input
// CHECK: %[[BOTH:.*]]:2 = flow.dispatch.region -> (tensor<8x16xf32>, tensor<8xf32>)
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
func.func @shared_input(%x: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %row = tensor.empty() : tensor<8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %shared = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %w = math.exp %in : f32
    linalg.yield %w : f32
  } -> tensor<8x16xf32>
  %sum = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%shared : tensor<8x16xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %in, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %shared, %sum : tensor<8x16xf32>, tensor<8xf32>
}

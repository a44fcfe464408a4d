// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-fuse-reduction))' | FileCheck %s

// All of a softmax over rows is one dispatch, with the scale in front of it.

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

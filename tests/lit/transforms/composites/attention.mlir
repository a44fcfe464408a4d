// RUN: fuselage-opt --tolerant --fuselage-decompose-composites %s | FileCheck %s
// RUN: fuselage run %s --function masked --device host --repeat 1 | FileCheck %s --check-prefix=HOST

// Queries times keys, scaled and masked where the mask says no, softmax along the keys, times values: in f32.
// CHECK-LABEL: func.func @masked
//       CHECK:   linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<2x6x4xf16>, tensor<2x7x4xf16>) outs(%{{.*}} : tensor<2x6x7xf32>)
//       CHECK:     arith.extf
//       CHECK:   linalg.generic {{.*}}ins(%{{.*}}, %arg4 : tensor<2x6x7xf32>, tensor<6x7xi1>)
//       CHECK:     arith.mulf
//       CHECK:     arith.select
//       CHECK:     arith.maximumf
//       CHECK:     math.exp
//       CHECK:     arith.divf
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %arg2 : tensor<2x6x7xf16>, tensor<2x7x5xf16>) outs(%{{.*}} : tensor<2x6x5xf32>)
//       CHECK:     arith.truncf
//   CHECK-NOT:   iree_linalg_ext
// HOST: result 0 tensor<2x6x5xf16>{{.*}} ok
func.func @masked(%q: tensor<2x6x4xf16>, %k: tensor<2x7x4xf16>, %v: tensor<2x7x5xf16>, %s: f16, %m: tensor<6x7xi1>, %o: tensor<2x6x5xf16>) -> tensor<2x6x5xf16> {
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k1, k2) -> (b, m, k1)>, affine_map<(b, m, n, k1, k2) -> (b, k2, k1)>, affine_map<(b, m, n, k1, k2) -> (b, k2, n)>, affine_map<(b, m, n, k1, k2) -> ()>, affine_map<(b, m, n, k1, k2) -> (m, k2)>, affine_map<(b, m, n, k1, k2) -> (b, m, n)>]} ins(%q, %k, %v, %s, %m : tensor<2x6x4xf16>, tensor<2x7x4xf16>, tensor<2x7x5xf16>, f16, tensor<6x7xi1>) outs(%o : tensor<2x6x5xf16>) {
  ^bb0(%a: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<2x6x5xf16>
  return %0 : tensor<2x6x5xf16>
}

// Without maps, by position. The op's name is all that tells the dialects apart.
// CHECK-LABEL: func.func @torch
//   CHECK-NOT:   tm_tensor
//       CHECK:   math.exp
func.func @torch(%q: tensor<2x6x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x5xf32>, %o: tensor<2x6x5xf32>) -> tensor<2x6x5xf32> {
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<2x6x4xf32>, tensor<2x7x4xf32>, tensor<2x7x5xf32>) outs(%o : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  return %0 : tensor<2x6x5xf32>
}

// The sum and the context of before are scaled to the new maximum.
// CHECK-LABEL: func.func @online
//   CHECK-NOT:   iree_linalg_ext
//       CHECK:   math.exp
//       CHECK:   math.exp
func.func @online(%q: tensor<2x6x4xf32>, %k: tensor<2x7x4xf32>, %v: tensor<2x7x5xf32>, %s: f32, %o: tensor<2x6x5xf32>, %mx: tensor<2x6xf32>, %sm: tensor<2x6xf32>) -> (tensor<2x6x5xf32>, tensor<2x6xf32>, tensor<2x6xf32>) {
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [affine_map<(b, m, n, k1, k2) -> (b, m, k1)>, affine_map<(b, m, n, k1, k2) -> (b, k2, k1)>, affine_map<(b, m, n, k1, k2) -> (b, k2, n)>, affine_map<(b, m, n, k1, k2) -> ()>, affine_map<(b, m, n, k1, k2) -> (b, m, n)>, affine_map<(b, m, n, k1, k2) -> (b, m)>, affine_map<(b, m, n, k1, k2) -> (b, m)>]} ins(%q, %k, %v, %s : tensor<2x6x4xf32>, tensor<2x7x4xf32>, tensor<2x7x5xf32>, f32) outs(%o, %mx, %sm : tensor<2x6x5xf32>, tensor<2x6xf32>, tensor<2x6xf32>) {
  ^bb0(%a: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<2x6x5xf32>, tensor<2x6xf32>, tensor<2x6xf32>
  return %0#0, %0#1, %0#2 : tensor<2x6x5xf32>, tensor<2x6xf32>, tensor<2x6xf32>
}

// Maps that fit no tensor: it stays as it is.
// CHECK-LABEL: func.func @odd
//       CHECK:   iree_linalg_ext.attention
func.func @odd(%q: tensor<2x6x4xf32>, %s: f32) -> tensor<2x6x4xf32> {
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> ()>, affine_map<(b, m, n) -> (b, m, n)>]} ins(%q, %q, %q, %s : tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>, f32) outs(%q : tensor<2x6x4xf32>) {
  ^bb0(%a: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}

// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-absorb-concat))' | FileCheck %s
// RUN: fuselage fuse %s --all | FileCheck %s --check-prefix=FUSE

// FUSE: dispatches: 8 before, 6 after
// FUSE: @rotated_halves: max abs error 0.00e+00, {{.*}}ok

#all = affine_map<(d0, d1) -> (d0, d1)>

// A rotary embedding: the halves change places, one negated. The slices and the negation are computed in place.
// CHECK-LABEL: @rotated_halves
// CHECK-SAME: (%[[X:.*]]: tensor<6x8xf32>, %
// CHECK-NOT: tensor.extract_slice
// CHECK: %[[ROTATED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x8xf32>)
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: arith.maxsi
// CHECK: tensor.extract %[[X]][%[[ROW]],
// CHECK: arith.minsi
// CHECK: tensor.extract %[[X]][%[[ROW]],
// CHECK: arith.negf
// CHECK: arith.select
// CHECK-NOT: tensor.concat
// CHECK: linalg.generic {{.*}} ins(%[[ROTATED]], %
func.func @rotated_halves(%x: tensor<6x8xf32>, %sine: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %low = tensor.extract_slice %x[0, 0] [6, 4] [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
  %high = tensor.extract_slice %x[0, 4] [6, 4] [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %negated = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%high : tensor<6x4xf32>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<6x4xf32>
  %rotated = tensor.concat dim(1) %negated, %low : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
  %wide = tensor.empty() : tensor<6x8xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%rotated, %sine : tensor<6x8xf32>, tensor<6x8xf32>) outs(%wide : tensor<6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// Parts of other sizes, one of which others read as well: it is not computed again.
// CHECK-LABEL: @three_parts
// CHECK: %[[SHARED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x8xf32>)
// CHECK-NOT: tensor.concat
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<9x8xf32>)
// CHECK: tensor.extract %{{.*}} : tensor<4x8xf32>
// CHECK: tensor.extract %[[SHARED]]
// CHECK: tensor.extract %{{.*}} : tensor<2x8xf32>
func.func @three_parts(%x: tensor<2x8xf32>, %y: tensor<3x8xf32>, %z: tensor<4x8xf32>) -> (tensor<9x8xf32>, tensor<3x8xf32>) {
  %e = tensor.empty() : tensor<3x8xf32>
  %shared = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<3x8xf32>) outs(%e : tensor<3x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<3x8xf32>
  %joined = tensor.concat dim(0) %x, %shared, %z : (tensor<2x8xf32>, tensor<3x8xf32>, tensor<4x8xf32>) -> tensor<9x8xf32>
  %wide = tensor.empty() : tensor<9x8xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%joined : tensor<9x8xf32>) outs(%wide : tensor<9x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.addf %a, %a : f32
    linalg.yield %p : f32
  } -> tensor<9x8xf32>
  return %r, %shared : tensor<9x8xf32>, tensor<3x8xf32>
}

// What only a product reads is put together as before; so is what has a part of an unknown size.
// CHECK-LABEL: @stored
// CHECK-COUNT-2: tensor.concat
func.func @stored(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %d: tensor<?x8xf32>, %init: tensor<8x8xf32>, %e: tensor<?x8xf32>)
    -> (tensor<8x8xf32>, tensor<?x8xf32>) {
  %joined = tensor.concat dim(0) %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%joined, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %unknown = tensor.concat dim(0) %x, %d : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%unknown : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<?x8xf32>
  return %p, %r : tensor<8x8xf32>, tensor<?x8xf32>
}

// RUN: fuselage-opt %s --canonicalize --cse | FileCheck %s
// RUN: fuselage-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s --check-prefix=DIMS

// CHECK-LABEL: @dead
// CHECK-NOT: flow.dispatch.region
func.func @dead(%a: tensor<4xf32>) {
  %r = flow.dispatch.region -> (tensor<4xf32>) {
    %x = math.exp %a : tensor<4xf32>
    flow.return %x : tensor<4xf32>
  }
  return
}

// A dispatch that writes memory stays.
// CHECK-LABEL: @effects
// CHECK: flow.dispatch.region -> () {
func.func @effects(%m: memref<4xf32>, %v: f32, %i: index) {
  flow.dispatch.region -> () {
    memref.store %v, %m[%i] : memref<4xf32>
    flow.return
  }
  return
}

// CHECK-LABEL: @unused_and_repeated
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[D:.*]]: index
// CHECK: %[[R:.*]] = flow.dispatch.region -> (tensor<?xf32>{%[[D]]}) {
// CHECK-NEXT: %[[Y:.*]] = math.log %[[A]]
// CHECK-NEXT: flow.return %[[Y]]
// CHECK: return %[[R]], %[[R]], %[[A]]
func.func @unused_and_repeated(%a: tensor<?xf32>, %d: index)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %r:4 = flow.dispatch.region -> (tensor<?xf32>{%d}, tensor<?xf32>{%d}, tensor<?xf32>{%d}, tensor<?xf32>{%d}) {
    %x = math.exp %a : tensor<?xf32>
    %y = math.log %a : tensor<?xf32>
    flow.return %x, %y, %y, %a : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  }
  return %r#1, %r#2, %r#3 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// DIMS-LABEL: @size_of_result
// DIMS-SAME: %{{.*}}: tensor<?xf32>, %[[D:.*]]: index
// DIMS: return %[[D]]
func.func @size_of_result(%a: tensor<?xf32>, %d: index) -> index {
  %r = flow.dispatch.region -> (tensor<?xf32>{%d}) {
    %x = math.exp %a : tensor<?xf32>
    flow.return %x : tensor<?xf32>
  }
  %c0 = arith.constant 0 : index
  %s = tensor.dim %r, %c0 : tensor<?xf32>
  return %s : index
}

// CHECK-LABEL: func.func @attention_of_casts
// CHECK-SAME:      (%[[Q:.*]]: tensor<4x8xf32>, %[[K:.*]]: tensor<6x8xf32>
// CHECK:         flow.attention {{.*}} queries(%[[Q]] : tensor<4x8xf32>) keys(%[[K]] : tensor<6x8xf32>) values(%{{.*}} : tensor<?x16xf32>) outs(%{{.*}} : tensor<4x16xf32>)
// CHECK:         } -> tensor<4x16xf32>
// CHECK-NEXT:    tensor.cast %{{.*}} : tensor<4x16xf32> to tensor<?x16xf32>
func.func @attention_of_casts(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty(%c4) : tensor<?x16xf32>
  %dq = tensor.cast %q : tensor<4x8xf32> to tensor<?x8xf32>
  %dk = tensor.cast %k : tensor<6x8xf32> to tensor<?x8xf32>
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>,
                                        affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>],
                       key_dims = array<i64: 1>}
      queries(%dq : tensor<?x8xf32>) keys(%dk : tensor<?x8xf32>) values(%v : tensor<?x16xf32>)
      outs(%e : tensor<?x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    flow.return %1 : f32
  } context {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    flow.return %1 : f32
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

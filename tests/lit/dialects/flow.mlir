// RUN: fuselage-opt %s | fuselage-opt | FileCheck %s
// RUN: fuselage-opt %s --mlir-print-op-generic | fuselage-opt | FileCheck %s
// RUN: fuselage-opt %s --emit-bytecode | fuselage-opt | FileCheck %s

// CHECK-LABEL: @static
func.func @static(%a: tensor<128x768xf32>) -> tensor<128x768xf32> {
  // CHECK: %[[R:.*]] = flow.dispatch.region -> (tensor<128x768xf32>) {
  // CHECK-NEXT:   %[[X:.*]] = math.exp %{{.*}} : tensor<128x768xf32>
  // CHECK-NEXT:   flow.return %[[X]] : tensor<128x768xf32>
  // CHECK-NEXT: }
  %r = flow.dispatch.region -> (tensor<128x768xf32>) {
    %x = math.exp %a : tensor<128x768xf32>
    flow.return %x : tensor<128x768xf32>
  }
  return %r : tensor<128x768xf32>
}

// CHECK-LABEL: @dynamic
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x?xf32>, %[[D0:.*]]: index, %[[D1:.*]]: index, %[[D2:.*]]: index
func.func @dynamic(%a: tensor<?x4xf32>, %b: tensor<?x?xf32>, %d0: index, %d1: index, %d2: index)
    -> (tensor<?x4xf32>, f32, tensor<?x?xf32>) {
  // CHECK: flow.dispatch.region[%[[D0]], %[[D1]]] -> (tensor<?x4xf32>{%[[D0]]}, f32, tensor<?x?xf32>{%[[D1]], %[[D2]]}) {
  // CHECK: } count(%[[W0:.*]]: index, %[[W1:.*]]: index) -> (index, index, index) {
  // CHECK:   flow.return %[[W0]], %[[W1]], %{{.*}} : index, index, index
  %r:3 = flow.dispatch.region[%d0, %d1] -> (tensor<?x4xf32>{%d0}, f32, tensor<?x?xf32>{%d1, %d2}) {
    %c = arith.constant 1.0 : f32
    flow.return %a, %c, %b : tensor<?x4xf32>, f32, tensor<?x?xf32>
  } count(%w0: index, %w1: index) -> (index, index, index) {
    %c1 = arith.constant 1 : index
    flow.return %w0, %w1, %c1 : index, index, index
  }
  return %r#0, %r#1, %r#2 : tensor<?x4xf32>, f32, tensor<?x?xf32>
}

// CHECK-LABEL: @no_results
func.func @no_results(%m: memref<4xf32>, %v: f32, %i: index) {
  // CHECK: flow.dispatch.region {note = "kept"} -> () {
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: flow.return
  flow.dispatch.region {note = "kept"} {
    memref.store %v, %m[%i] : memref<4xf32>
  }
  return
}

// CHECK-LABEL: func.func @attention
// CHECK:         flow.attention {indexing_maps = [{{.*}}], key_dims = array<i64: 2>} queries(%{{.*}} : tensor<2x4x8xf32>) keys(%{{.*}} : tensor<2x?x8xf32>)
// CHECK-SAME:      with(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<4xi1>) values(%{{.*}} : tensor<2x?x16xf32>) outs(%{{.*}} : tensor<2x4x16xf32>) scores {
// CHECK:         } logits {
// CHECK-NEXT:    ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i1, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index):
// CHECK:         } probabilities {
// CHECK:         } context {
// CHECK:         } -> tensor<2x4x16xf32>
func.func @attention(%q: tensor<2x4x8xf32>, %k: tensor<2x?x8xf32>, %v: tensor<2x?x16xf32>, %bias: tensor<?xf32>,
                     %mask: tensor<4xi1>, %e: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
  %r = flow.attention {indexing_maps = [affine_map<(h, i, j, d, n) -> (h, i, d)>, affine_map<(h, i, j, d, n) -> (h, j, d)>,
                                        affine_map<(h, i, j, d, n) -> (j)>, affine_map<(h, i, j, d, n) -> (i)>,
                                        affine_map<(h, i, j, d, n) -> (h, j, n)>, affine_map<(h, i, j, d, n) -> (h, i, n)>],
                       key_dims = array<i64: 2>}
      queries(%q : tensor<2x4x8xf32>) keys(%k : tensor<2x?x8xf32>)
      with(%bias, %mask : tensor<?xf32>, tensor<4xi1>) values(%v : tensor<2x?x16xf32>) outs(%e : tensor<2x4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    flow.return %1 : f32
  } logits {
  ^bb0(%score: f32, %b: f32, %m: i1, %h: index, %i: index, %j: index):
    %0 = arith.select %m, %score, %b : f32
    flow.return %0 : f32
  } probabilities {
  ^bb0(%p: f32):
    %0 = arith.truncf %p : f32 to f16
    flow.return %0 : f16
  } context {
  ^bb0(%p: f16, %b: f32, %sum: f32):
    %0 = arith.extf %p : f16 to f32
    %1 = arith.mulf %0, %b : f32
    %2 = arith.addf %sum, %1 : f32
    flow.return %2 : f32
  } -> tensor<2x4x16xf32>
  return %r : tensor<2x4x16xf32>
}

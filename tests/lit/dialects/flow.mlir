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

// RUN: fuselage-opt %s --fuselage-outline-dispatches | FileCheck %s
// RUN: fuselage-opt %s --fuselage-outline-dispatches --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// CHECK-LABEL: func.func @two
// CHECK-SAME:    %[[A:[a-z0-9]*]]: tensor<8x8xf32>, %[[S:[a-z0-9]*]]: f32, %[[B:[a-z0-9]*]]: tensor<8x8xf32>
// CHECK:         %[[M:.*]] = call @two_dispatch_0_matmul_8x8x8(%[[A]], %[[B]], %[[S]]) : (tensor<8x8xf32>, tensor<8x8xf32>, f32) -> tensor<8x8xf32>
// CHECK:         call @two_dispatch_1_exp_8x8(%[[M]])
func.func @two(%a: tensor<8x8xf32>, %s: f32, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %m = flow.dispatch.region -> (tensor<8x8xf32>) {
    %f = linalg.fill ins(%s : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.return %0 : tensor<8x8xf32>
  }
  %x = flow.dispatch.region -> (tensor<8x8xf32>) {
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.exp ins(%m : tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.return %0 : tensor<8x8xf32>
  } loc("source.py":7:3)
  return %x : tensor<8x8xf32>
}
// CHECK:       func.func private @two_dispatch_0_matmul_8x8x8(%[[X:.*]]: tensor<8x8xf32>, %[[Y:.*]]: tensor<8x8xf32>, %[[V:.*]]: f32)
// CHECK-SAME:    attributes {fuselage.dispatch = 0 : i64}
// CHECK-NEXT:    tensor.empty
// CHECK:         linalg.fill ins(%[[V]]
// CHECK:         linalg.matmul ins(%[[X]], %[[Y]]
// CHECK:         return
// CHECK:       func.func private @two_dispatch_1_exp_8x8(%{{.*}}: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {fuselage.dispatch = 1 : i64}
// CHECK:         arith.constant
// LOC:         call @two_dispatch_1_exp_8x8({{.*}} loc(#[[L:.*]])
// LOC:         } loc(#[[L]])
// LOC:         #[[L]] = loc("source.py":7:3)

// The name of a function that is taken gets a suffix.
// CHECK-LABEL: func.func @taken
// CHECK:         call @taken_dispatch_2_exp_4_0(
func.func @taken(%a: tensor<4xf32>) -> tensor<4xf32> {
  %x = flow.dispatch.region -> (tensor<4xf32>) {
    %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    flow.return %0 : tensor<4xf32>
  }
  return %x : tensor<4xf32>
}
func.func private @taken_dispatch_2_exp_4()

// Dynamic sizes that feed a cloned tensor.empty are passed.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:    %[[A:.*]]: tensor<?xf32>
// CHECK:         %[[D:.*]] = tensor.dim
// CHECK:         call @dynamic_dispatch_3_exp_D(%[[A]], %[[D]]) : (tensor<?xf32>, index) -> tensor<?xf32>
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %x = flow.dispatch.region -> (tensor<?xf32>{%d}) {
    %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    flow.return %0 : tensor<?xf32>
  }
  return %x : tensor<?xf32>
}

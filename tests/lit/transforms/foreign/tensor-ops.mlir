// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s

// CHECK-LABEL: func.func @twins
//   CHECK-NOT:   flow.
//       CHECK:   linalg.fill
//       CHECK:   tensor.collapse_shape
//       CHECK:   tensor.expand_shape
//       CHECK:   tensor.extract_slice %arg0[1, 0] [2, 4] [1, 1]
//       CHECK:   tensor.insert_slice
//       CHECK:   arith.bitcast
func.func @twins(%x: tensor<4x6xf32>, %y: tensor<2x2xf32>) -> (tensor<4x6xf32>, tensor<3x8xf32>, tensor<2x4xf32>, tensor<4x6xf32>, tensor<4x6xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %f = arith.constant 1.0 : f32
  %0 = flow.tensor.splat %f : tensor<4x6xf32>
  %1 = flow.tensor.reshape %x : tensor<4x6xf32> -> tensor<3x8xf32>
  %2 = flow.tensor.slice %x[%c1, %c0 for %c2, %c4] : tensor<4x6xf32> -> tensor<2x4xf32>
  %3 = flow.tensor.update %y, %x[%c0, %c2] : tensor<2x2xf32> -> %x as tensor<4x6xf32>
  %4 = iree_tensor_ext.bitcast %x : tensor<4x6xf32> -> tensor<4x6xi32>
  return %0, %1, %2, %3, %4 : tensor<4x6xf32>, tensor<3x8xf32>, tensor<2x4xf32>, tensor<4x6xf32>, tensor<4x6xi32>
}

// Private helpers on tensors are inlined at every level, those that call themselves are not.
// CHECK-LABEL: func.func @calls
//       CHECK:   math.exp
//       CHECK:   math.exp
//       CHECK:   call @loop
//   CHECK-NOT: @inner
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @outer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @loop(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @inner(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK: func.func private @loop
func.func private @loop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @loop(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

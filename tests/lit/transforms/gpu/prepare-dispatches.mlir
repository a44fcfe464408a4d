// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-prepare-dispatches))' | FileCheck %s

// A softmax is a maximum, a difference, a sum and a quotient. Tensors are read-only, scalars have no
// such attribute.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME:    %{{.+}}: tensor<4x8xf32> {bufferization.writable = false}, %{{.+}}: f32)
// CHECK-NOT:     linalg.softmax
// CHECK:         arith.max
// CHECK:         math.exp
// CHECK:         arith.addf
// CHECK:         arith.divf
func.func @softmax(%x: tensor<4x8xf32>, %unused: f32) -> tensor<4x8xf32> attributes {fuselage.dispatch = 0 : i64} {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Of what is no dispatch, nothing says what may be written; bufferization knows no composites there either.
// CHECK-LABEL: func.func @no_dispatch
// CHECK-NOT:     bufferization.writable
// CHECK-NOT:     linalg.softmax
// CHECK:         arith.max
func.func @no_dispatch(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Each result gets a buffer of its own.
// CHECK-LABEL: func.func @same_value_twice
// CHECK:         %[[SUM:.+]] = linalg.generic
// CHECK:         %[[COPY:.+]] = bufferization.alloc_tensor() copy(%[[SUM]])
// CHECK:         return %[[SUM]], %[[COPY]]
func.func @same_value_twice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {fuselage.dispatch = 1 : i64} {
  %r = arith.addf %x, %y : tensor<4xf32>
  return %r, %r : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @packed
// CHECK:         tensor.expand_shape
// CHECK:         linalg.transpose
// CHECK-LABEL: func.func @unpacked
// CHECK:         linalg.transpose
// CHECK:         tensor.collapse_shape
// CHECK-NOT:     pack
// CHECK-LABEL: func.func @joined
func.func @packed(%x: tensor<8x6xf32>, %d: tensor<4x3x2x2xf32>) -> tensor<4x3x2x2xf32> attributes {fuselage.dispatch = 2 : i64} {
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<8x6xf32> -> tensor<4x3x2x2xf32>
  return %r : tensor<4x3x2x2xf32>
}
func.func @unpacked(%x: tensor<4x3x2x2xf32>, %d: tensor<8x6xf32>) -> tensor<8x6xf32> attributes {fuselage.dispatch = 3 : i64} {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<4x3x2x2xf32> -> tensor<8x6xf32>
  return %r : tensor<8x6xf32>
}

// CHECK-NOT:     tensor.concat
// CHECK:         tensor.insert_slice %{{.+}}[0, 0] [2, 3]
// CHECK:         tensor.insert_slice %{{.+}}[2, 0] [5, 3]
func.func @joined(%x: tensor<2x3xf32>, %y: tensor<5x3xf32>) -> tensor<7x3xf32> attributes {fuselage.dispatch = 4 : i64} {
  %r = tensor.concat dim(0) %x, %y : (tensor<2x3xf32>, tensor<5x3xf32>) -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}

// A result of dynamic size cannot be an output parameter.
// CHECK-LABEL: func.func @dynamic_result
func.func private @dynamic_result(%x: tensor<?xf32>) -> tensor<?xf32> attributes {fuselage.dispatch = 7 : i64} {
  %r = math.exp %x : tensor<?xf32>
  return %r : tensor<?xf32>
}

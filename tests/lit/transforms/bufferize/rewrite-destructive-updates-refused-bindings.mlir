// Why updates of a kernel's bindings are not done in place: a binding that can only be written gives
// nothing back, and a store must be one that tiles can be written by.
// RUN: fuselage-opt %s --tolerant --fuselage-rewrite-destructive-updates 2>&1 | FileCheck %s

// CHECK: :[[#@LINE+13]]:{{[0-9]+}}: remark: the update is not done in place: VALUE_USED_ELSEWHERE: Others use the loop's result as well, and the destination cannot be read
// CHECK: because of this op
func.func @used_elsewhere(%t: tensor<2xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<8xf32>>
  %b1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<writeonly:tensor<8xf32>>
  %a = flow.dispatch.tensor.load %b0, offsets = [0], sizes = [8], strides = [1] : !flow.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  flow.dispatch.tensor.store %r, %b1, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
  return %r : tensor<8xf32>
}

// Each iteration reads the tile before its own, which the one before has written.
// CHECK: :[[#@LINE+16]]:{{[0-9]+}}: remark: the update is not done in place: OVERLAPPING_TILES: Iterations read tiles that earlier ones may have written, and the destination cannot be read
// CHECK: because of this op
func.func @overlapping() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<8xf32>>
  %b1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<writeonly:tensor<8xf32>>
  %a = flow.dispatch.tensor.load %b0, offsets = [0], sizes = [8], strides = [1] : !flow.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
  %r = scf.for %i = %c2 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    %p = arith.subi %i, %c2 : index
    %old = tensor.extract_slice %x[%p] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %t = linalg.exp ins(%old : tensor<2xf32>) outs(%old : tensor<2xf32>) -> tensor<2xf32>
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  flow.dispatch.tensor.store %r, %b1, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !flow.dispatch.tensor<writeonly:tensor<8xf32>>
  return
}

// The store names no sizes, and the value has none that are known.
// CHECK: :[[#@LINE+11]]:{{[0-9]+}}: remark: the update is not done in place: UNKNOWN_SPELLING: The store's dialect has no op that writes a tile
func.func @unknown_spelling(%t: tensor<2xf32>, %size: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%size}
  %b1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) offset(%c0) : !flow.dispatch.tensor<writeonly:tensor<?xf32>>{%size}
  %a = flow.dispatch.tensor.load %b0, offsets = [0], sizes = [%size], strides = [1] : !flow.dispatch.tensor<readonly:tensor<?xf32>>{%size} -> tensor<?xf32>
  %r = scf.for %i = %c0 to %size step %c2 iter_args(%x = %a) -> (tensor<?xf32>) {
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<?xf32>
    scf.yield %n : tensor<?xf32>
  }
  flow.dispatch.tensor.store %r, %b1 : tensor<?xf32> -> !flow.dispatch.tensor<writeonly:tensor<?xf32>>{%size}
  return
}

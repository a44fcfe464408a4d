// Why updates are not done in place, one reason after the other.
// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --fuselage-rewrite-destructive-updates | FileCheck %s

// The two values change places in every iteration.
// CHECK-LABEL: func.func @ping_pong
// CHECK-NOT:     materialize_in_destination
// CHECK:         return
func.func @ping_pong(%a: tensor<8xf32>, %b: tensor<8xf32>, %t: tensor<2xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // expected-remark @below {{the update is not done in place: PING_PONG: The loop does not yield the updated value in the place from which it got it}}
  %r:2 = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a, %y = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    // expected-note @below {{because of this op}}
    scf.yield %y, %n : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// The outer loop does not hand on what the inner one made.
func.func @ping_pong_outer(%a: tensor<8xf32>, %b: tensor<8xf32>, %t: tensor<2xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // expected-remark @below {{PING_PONG}}
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    %inner = scf.for %j = %c0 to %c8 step %c2 iter_args(%y = %x) -> (tensor<8xf32>) {
      %n = tensor.insert_slice %t into %y[%j] [2] [1] : tensor<2xf32> into tensor<8xf32>
      scf.yield %n : tensor<8xf32>
    }
    scf.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @read_behind
// CHECK-NOT:     materialize_in_destination
// CHECK:         return
func.func @read_behind(%a: tensor<8xf32>, %t: tensor<2xf32>, %s: tensor<2xf32>) -> (tensor<8xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // expected-remark @below {{READ_BEHIND_UPDATE: A slice of the old value is taken after the update}}
  %r:2 = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a, %sum = %s) -> (tensor<8xf32>, tensor<2xf32>) {
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    // expected-note @below {{because of this op}}
    %old = tensor.extract_slice %x[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %next = linalg.add ins(%old, %sum : tensor<2xf32>, tensor<2xf32>) outs(%sum : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %n, %next : tensor<8xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<2xf32>
}

// -----

func.func @several(%a: tensor<8xf32>, %t: tensor<2xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  // expected-remark @below {{SEVERAL_UPDATES}}
  %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    // expected-note @below {{because of this op}}
    %m = tensor.insert_slice %t into %n[4] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %m : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @other_use(%a: tensor<8xf32>, %t: tensor<2xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // expected-remark @below {{OTHER_USE: The value that the loop carries is used as a whole}}
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    // expected-note @below {{because of this op}}
    %e = linalg.exp ins(%x : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    %u = tensor.extract_slice %e[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %n = tensor.insert_slice %u into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @branch(%a: tensor<8xf32>, %t: tensor<2xf32>, %p: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // expected-remark @below {{OTHER_CONTROL_FLOW: There is other control flow than scf.for around the update}}
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    // expected-note @below {{because of this op}}
    %n = scf.if %p -> tensor<8xf32> {
      %m = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
      scf.yield %m : tensor<8xf32>
    } else {
      scf.yield %x : tensor<8xf32>
    }
    scf.yield %n : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @while(%a: tensor<8xf32>, %t: tensor<2xf32>, %p: i1) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // expected-remark @below {{OTHER_CONTROL_FLOW}}
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    // expected-note @below {{because of this op}}
    %n = scf.while (%y = %x) : (tensor<8xf32>) -> tensor<8xf32> {
      scf.condition(%p) %y : tensor<8xf32>
    } do {
    ^bb0(%z: tensor<8xf32>):
      %m = tensor.insert_slice %t into %z[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
      scf.yield %m : tensor<8xf32>
    }
    scf.yield %n : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A loop around a whole value is no update, whatever it stores.
func.func @no_update(%a: tensor<8xf32>, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // expected-note @below {{because of this op}}
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    scf.yield %a : tensor<8xf32>
  }
  // expected-remark @below {{NO_UPDATE: No tensor.insert_slice writes a tile into the value that the loop carries}}
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Memory is written between the loop and the store.
func.func @interleaved(%a: tensor<8xf32>, %t: tensor<2xf32>, %m: memref<8xf32>, %other: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  // expected-note @below {{because of this op}}
  memref.store %v, %other[%c0] : memref<8xf32>
  // expected-remark @below {{INTERLEAVED_ALIAS: Between the first tile and the store, memory is read or written that may be the destination}}
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// The loop reads, through another name, what it would overwrite.
func.func @stale(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // expected-note @below {{because of this op}}
  %old = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %e) -> (tensor<8xf32>) {
    %t = tensor.extract_slice %old[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  // expected-remark @below {{INTERLEAVED_ALIAS}}
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Where the result goes is only known after the loop.
func.func @late(%a: tensor<8xf32>, %t: tensor<2xf32>, %ms: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %k, %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%last = %c0, %x = %a) -> (index, tensor<8xf32>) {
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %i, %n : index, tensor<8xf32>
  }
  // expected-note @below {{because of this op}}
  %m = memref.subview %ms[%k, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  // expected-remark @below {{DESTINATION_BEHIND_LOOP}}
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8xf32>, memref<8xf32, strided<[1], offset: ?>>) -> ()
  return
}

// -----

func.func @other_block(%a: tensor<8xf32>, %t: tensor<2xf32>, %m: memref<8xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // expected-note @below {{because of this op}}
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%x = %a) -> (tensor<8xf32>) {
    %n = tensor.insert_slice %t into %x[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  scf.if %p {
    // expected-remark @below {{OTHER_BLOCK}}
    bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  }
  return
}

// RUN: fuselage buffers %s --function read_after_write | FileCheck %s --check-prefix=RAW
// RUN: fuselage buffers %s --function constant | FileCheck %s --check-prefix=CONSTANT
// RUN: fuselage buffers %s --function argument | FileCheck %s --check-prefix=ARGUMENT
// RUN: fuselage buffers %s --function parallel | FileCheck %s --check-prefix=PARALLEL
// RUN: fuselage buffers %s --function unknown | FileCheck %s --check-prefix=UNKNOWN
// RUN: fuselage buffers %s --function in_loop | FileCheck %s --check-prefix=LOOP
// RUN: fuselage buffers %s --function swap | FileCheck %s --check-prefix=SWAP
// RUN: fuselage buffers %s --function slice | FileCheck %s --check-prefix=SLICE
// RUN: fuselage buffers %s --function clean | FileCheck %s --check-prefix=CLEAN

// RAW: 3 tensor operands, 1 out of place; 1 inserted copy, 32 B copied in all; peak memory 32 B global
// RAW: conflicts.mlir:[[@LINE+7]]:14: remark: copy of 32 B for operand 1 of tensor.insert (%t): writing in place would overwrite elements that are still read [READ_AFTER_WRITE]
// RAW-NEXT: %written = tensor.insert
// RAW-NEXT: {{\^$}}
// RAW-NEXT: conflicts.mlir:[[@LINE+5]]:10: note: read: operand 0 of tensor.extract needs what was there
// RAW: conflicts.mlir:[[@LINE+3]]:14: note: conflicting write: in place, operand 1 of tensor.insert would overwrite it
// RAW: conflicts.mlir:[[@LINE+1]]:1: note: last write: it is argument 0 of func.func
func.func @read_after_write(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %written = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %written, %old : tensor<8xf32>, f32
}

// CONSTANT: copy of 16 B for operand 1 of tensor.insert ({{%.*}}): the op would write into a constant [READ_ONLY_CONSTANT]
// CONSTANT: note: conflicting write: in place, operand 1 of tensor.insert would be written to
// CONSTANT: conflicts.mlir:[[@LINE+2]]:8: note: whose buffer it is: result 0 of arith.constant
func.func @constant(%x: f32, %i: index) -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %r = tensor.insert %x into %c[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// ARGUMENT: the op would write into an argument that the function must not change [READ_ONLY_ARGUMENT]
// ARGUMENT: note: whose buffer it is: argument 0 of func.func
func.func @argument(%t: tensor<4xf32> {bufferization.writable = false}, %x: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// PARALLEL: [PARALLEL_REGION]
// PARALLEL: note: conflicting write: in place, operand 1 of linalg.fill would be written to
// PARALLEL: note: whose buffer it is: result 0 of bufferization.alloc_tensor
func.func @parallel(%x: f32, %out: tensor<8xf32>) -> tensor<8xf32> {
  %scratch = bufferization.alloc_tensor() : tensor<4xf32>
  %r = scf.forall (%i) in (2) shared_outs(%o = %out) -> tensor<8xf32> {
    %f = linalg.fill ins(%x : f32) outs(%scratch : tensor<4xf32>) -> tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// UNKNOWN: copy of 16 B for operand 1 of tensor.insert
// UNKNOWN-SAME: the op is unknown to bufferization, so the worst case is assumed [UNKNOWN_OP]
// UNKNOWN: note: whose buffer it is: result 0 of foreign.make
func.func @unknown(%x: f32, %i: index) -> tensor<4xf32> {
  %t = "foreign.make"() : () -> tensor<4xf32>
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// What the loop reads, its next iteration reads again.
// LOOP: remark: new buffer of 32 B for operand 1 of linalg.fill
// LOOP: note: read: operand 0 of tensor.extract needs what was there
// LOOP: note: last write: it is argument 0 of func.func
func.func @in_loop(%t: tensor<8xf32>, %x: f32, %n: index, %out: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> f32 {
    %read = tensor.extract %t[%i] : tensor<8xf32>
    %filled = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    %again = tensor.extract %filled[%i] : tensor<8xf32>
    %a = arith.addf %read, %again : f32
    %b = arith.addf %a, %acc : f32
    scf.yield %b : f32
  }
  return %sum : f32
}

// SWAP-COUNT-2: the loop yields a value that is not in the buffer of its iter_arg [LOOP_YIELD]
func.func @swap(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %y, %x : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// Only the slice is at stake, and the write is another op's.
// SLICE: new buffer of 16 B for operand 0 of tensor.extract_slice
// SLICE: note: read: operand 0 of tensor.extract needs what was there
// SLICE: note: conflicting write: in place, operand 1 of linalg.fill would overwrite it
func.func @slice(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %s = tensor.extract_slice %t[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %f, %old : tensor<4xf32>, f32
}

// CLEAN: 3 tensor operands, 0 out of place; 0 inserted copies, 0 B copied in all; peak memory 0 B
// CLEAN-NOT: remark
func.func @clean(%a: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%out : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

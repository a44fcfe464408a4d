// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<max_loop_rounds = 1000>'},fuselage-limit-loop-rounds)" | FileCheck %s

// 30 x (1 + 30 + 1) + 1 rounds: below the limit, nothing changes.
// CHECK-LABEL: gpu.func @below
// CHECK-COUNT-1: memref.store
// CHECK-NOT:     memref.store
gpu.module @k {
  gpu.func @below(%x: memref<30x30xi32>, %v: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c30 = arith.constant 30 : index
    scf.for %i = %c0 to %c30 step %c1 {
      scf.for %j = %c0 to %c30 step %c1 {
        memref.store %v, %x[%i, %j] : memref<30x30xi32>
      }
    }
    gpu.return
  }
}

// -----

// All loops count together: 40 x (1 + 40 + 1) + 1 are too many, so four rounds of the inner one become one.
// CHECK-LABEL: gpu.func @nested
// CHECK:         scf.for %{{.+}} = %c0 to %c40 step %c1
// CHECK:         scf.for
// CHECK-COUNT-4: memref.store
// CHECK-NOT:     memref.store
gpu.module @k {
  gpu.func @nested(%x: memref<40x40xi32>, %v: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    scf.for %i = %c0 to %c40 step %c1 {
      scf.for %j = %c0 to %c40 step %c1 {
        memref.store %v, %x[%i, %j] : memref<40x40xi32>
      }
    }
    gpu.return
  }
}

// -----

// A thread's first element is somewhere; what is known is that it is not below zero.
// CHECK-LABEL: gpu.func @strided
// CHECK-COUNT-4: memref.store
gpu.module @k {
  gpu.func @strided(%x: memref<4000xi32>, %v: i32) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
    %i = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %c4000 = arith.constant 4000 : index
    scf.for %j = %i to %c4000 step %c2 {
      memref.store %v, %x[%j] : memref<4000xi32>
    }
    gpu.return
  }
}

// -----

// Unrolling ends where code gets too large.
gpu.module @k {
  gpu.func @hopeless(%x: memref<1xi32>, %v: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %many = arith.constant 4000000000 : index
    // expected-error @below {{the loops of a thread make up to 4000000001 rounds here, and the device leaves loops after 1000 with a wrong result}}
    scf.for %i = %c0 to %many step %c1 {
      memref.store %v, %x[%c0] : memref<1xi32>
    }
    gpu.return
  }
}

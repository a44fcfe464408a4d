// RUN: fuselage buffers %s --function on_memrefs | FileCheck %s --check-prefix=MEMREFS
// RUN: fuselage buffers %s --function branches | FileCheck %s --check-prefix=BRANCHES
// RUN: fuselage buffers %s --function caller | FileCheck %s --check-prefix=CALLER
// RUN: fuselage buffers %s --function kernels::kernel | FileCheck %s --check-prefix=KERNEL
// RUN: fuselage buffers %s --function dynamic | FileCheck %s --check-prefix=DYNAMIC
// RUN: fuselage buffers %s --format json | FileCheck %s --check-prefix=JSON

// Freed before the next one is made: they share.
// MEMREFS: 3 buffers; peak memory 64 B global, 16 B stack
// MEMREFS: Buffers, and the lines between which they live:
// MEMREFS: 64 B global alloc [[@LINE+4]]-[[@LINE+6]] on_memrefs memref.alloc EXPLICIT
// MEMREFS: 32 B global alloc [[@LINE+6]]-[[@LINE+8]] on_memrefs memref.alloc EXPLICIT
// MEMREFS: 16 B stack stack [[@LINE+8]]-{{[0-9]+}} on_memrefs memref.alloca EXPLICIT
func.func @on_memrefs(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %x, %b[%i] : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  %c = memref.alloca() : memref<4xf32>
  memref.store %x, %c[%i] : memref<4xf32>
  return
}

// One branch or the other runs.
// BRANCHES: peak memory 96 B global
func.func @branches(%p: i1, %x: f32, %i: index) -> f32 {
  %r = scf.if %p -> memref<?xf32> {
    %a = memref.alloc() : memref<16xf32>
    %d = memref.cast %a : memref<16xf32> to memref<?xf32>
    scf.yield %d : memref<?xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    %d = memref.cast %b : memref<8xf32> to memref<?xf32>
    scf.yield %d : memref<?xf32>
  }
  %c = memref.alloc() : memref<8xf32>
  memref.store %x, %c[%i] : memref<8xf32>
  %v = memref.load %r[%i] : memref<?xf32>
  return %v : f32
}

// CALLER: 2 buffers, 1 copy, 32 B copied in all; peak memory 96 B global
// CALLER: 32 B global call result
func.func @caller(%x: f32, %i: index) -> f32 {
  %mine = memref.alloc() : memref<8xf32>
  %made = func.call @callee(%x, %i) : (f32, index) -> memref<8xf32>
  memref.copy %made, %mine : memref<8xf32> to memref<8xf32>
  %v = memref.load %mine[%i] : memref<8xf32>
  return %v : f32
}
func.func private @callee(%x: f32, %i: index) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  %t = memref.alloc() : memref<8xf32>
  memref.store %x, %t[%i] : memref<8xf32>
  memref.copy %t, %r : memref<8xf32> to memref<8xf32>
  return %r : memref<8xf32>
}

// KERNEL: peak memory 128 B workgroup
// KERNEL: 128 B workgroup attribution
gpu.module @kernels {
  gpu.func @kernel(%x: f32, %i: index) workgroup(%w : memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    memref.store %x, %w[%i] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// Nothing is known of %n, and much of %m.
// DYNAMIC: peak memory >= 16 B global
// DYNAMIC: ? B global alloc
// DYNAMIC: >= 16 B global alloc
func.func @dynamic(%x: f32, %i: index, %n: index) {
  %m = affine.max affine_map<(d0) -> (d0, 4)>(%n)
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  memref.store %x, %b[%i] : memref<?xf32>
  return
}

// JSON: "complete": true
// JSON: "has_tensors": false
// JSON: "version": 1

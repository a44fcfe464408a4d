// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-pipeline-copies{stages=3},canonicalize))' | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, workgroup_bytes = 1100>'},func.func(fuselage-pipeline-copies,canonicalize))" | FileCheck %s --check-prefix=TWO
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, workgroup_bytes = 1000>'},func.func(fuselage-pipeline-copies,canonicalize))" | FileCheck %s --check-prefix=NONE
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, workgroup_bytes = 500, workgroup_bytes_opt_in = 1100>'},func.func(fuselage-pipeline-copies,canonicalize))" | FileCheck %s --check-prefix=MOST
// RUN: not fuselage-opt %s --split-input-file --fuselage-pipeline-copies=stages=1 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: stages is 1; give a number from 2 to 8

// Two rounds are copied before the loop, and each round copies the one after the next, after the only barrier: until
// there, the buffer is what the round before reads.
// CHECK-LABEL: func.func @sums
// CHECK:         memref.alloc() : memref<3x128xf32, #gpu.address_space<workgroup>>
// CHECK:         nvgpu.device_async_copy {{.+}}, 4 {bypassL1}
// CHECK:         nvgpu.device_async_create_group
// CHECK:         nvgpu.device_async_copy {{.+}}, 4 {bypassL1}
// CHECK:         nvgpu.device_async_create_group
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.for
// CHECK:           nvgpu.device_async_wait %{{.+}} {numGroups = 1 : i32}
// CHECK-NEXT:      gpu.barrier
// CHECK:           scf.if
// CHECK:             nvgpu.device_async_copy {{.+}}, 4 {bypassL1}
// CHECK:           nvgpu.device_async_create_group
// CHECK:           memref.load %{{.+}} #gpu.address_space<workgroup>>
// CHECK-NOT:       gpu.barrier
// CHECK:         memref.store
// Memory for two buffers is used for two.
// TWO-LABEL: func.func @sums
// TWO:         memref.alloc() : memref<2x128xf32, #gpu.address_space<workgroup>>
// TWO:           nvgpu.device_async_wait %{{.+}} {numGroups = 0 : i32}
// So is all there is, where one buffer is more than the share of a workgroup.
// MOST-LABEL: func.func @sums
// MOST:         memref.alloc() : memref<2x128xf32, #gpu.address_space<workgroup>>
// NONE-LABEL: func.func @sums
// NONE-NOT:    nvgpu
// NONE:        gpu.barrier
// NONE:        gpu.barrier
func.func @sums(%in: memref<1024xf32>, %out: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
    %mine = arith.muli %t, %c4 : index
    %other = arith.subi %c31, %t : index
    %sum = scf.for %k = %c0 to %c1024 step %c128 iter_args(%s = %zero) -> (f32) {
      %from = arith.addi %k, %mine : index
      %v = vector.load %in[%from] {alignment = 16 : i64} : memref<1024xf32>, vector<4xf32>
      vector.store %v, %tile[%mine] {alignment = 16 : i64} : memref<128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      gpu.barrier
      %x = memref.load %tile[%other] : memref<128xf32, #gpu.address_space<workgroup>>
      %next = arith.addf %s, %x : f32
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %sum, %out[%t] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// Single elements are copied, too. What the tile is computed from stays where it is, and after the loop everybody waits before
// the memory is used again.
// CHECK-LABEL: func.func @mixed
// CHECK-DAG:     memref.alloc() : memref<3x32xf32, #gpu.address_space<workgroup>>
// CHECK-DAG:     memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK:         nvgpu.device_async_copy {{.+}}, 1 :
// CHECK:         scf.for
// CHECK:           nvgpu.device_async_wait
// CHECK-NEXT:      gpu.barrier
// CHECK:           arith.negf
// CHECK:           gpu.barrier
// CHECK:           arith.mulf
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.yield
// CHECK:         gpu.barrier
// CHECK:         memref.store %{{.+}}, %{{.+}} : memref<32xf32, #gpu.address_space<workgroup>>
// NONE-LABEL: func.func @mixed
func.func @mixed(%in: memref<1024xf32>, %out: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
    %made = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
    %other = arith.subi %c31, %t : index
    %sum = scf.for %k = %c0 to %c1024 step %c32 iter_args(%s = %zero) -> (f32) {
      %from = arith.addi %k, %t : index
      %v = memref.load %in[%from] : memref<1024xf32>
      memref.store %v, %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      %w = memref.load %in[%from] : memref<1024xf32>
      %n = arith.negf %w : f32
      memref.store %n, %made[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = memref.load %tile[%other] : memref<32xf32, #gpu.address_space<workgroup>>
      %y = memref.load %made[%other] : memref<32xf32, #gpu.address_space<workgroup>>
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %s, %p : f32
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %sum, %made[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %z = memref.load %made[%other] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %z, %out[%t] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// What the loop writes itself cannot be read ahead.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT:     nvgpu
// CHECK:         return
// NONE-LABEL: func.func @in_place
func.func @in_place(%data: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %c992 = arith.constant 992 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<32xf32, #gpu.address_space<workgroup>>
    %other = arith.subi %c31, %t : index
    scf.for %k = %c0 to %c992 step %c32 {
      %from = arith.addi %k, %t : index
      %v = memref.load %data[%from] : memref<1024xf32>
      memref.store %v, %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = memref.load %tile[%other] : memref<32xf32, #gpu.address_space<workgroup>>
      %to = arith.addi %from, %c32 : index
      memref.store %x, %data[%to] : memref<1024xf32>
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

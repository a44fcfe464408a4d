// RUN: fuselage-opt %s --pass-pipeline='builtin.module(fuselage-attribute-workgroup-memory)' | FileCheck %s

// CHECK-LABEL: gpu.func @tile
// CHECK-SAME:    workgroup(%[[FIRST:.+]] : memref<8xf32, 3> {llvm.align = 16 : i64}, %[[SECOND:.+]] : memref<4xi8, 3> {llvm.align = 16 : i64}) kernel
// CHECK-NOT:     memref.alloc
// CHECK:         memref.store %{{.+}}, %[[FIRST]]
// CHECK:         memref.store %{{.+}}, %[[SECOND]]

// One that is there already keeps its place.
// CHECK-LABEL: gpu.func @one_more
// CHECK-SAME:    workgroup(%[[OLD:.+]] : memref<2xf32, 3>, %[[NEW:.+]] : memref<8xf32, 3> {llvm.align = 16 : i64}) kernel
// CHECK:         %[[X:.+]] = memref.load %[[OLD]]
// CHECK:         memref.store %[[X]], %[[NEW]]

// CHECK-LABEL: gpu.func @none
// CHECK-NOT:     workgroup
// CHECK:         gpu.return

// More than a static variable may hold: parts of what the launch gives, 16 bytes aligned.
// CHECK-LABEL: gpu.module @large_k
// CHECK:         llvm.mlir.global external @dynamic_shared_memory() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// CHECK-LABEL: gpu.func @large
// CHECK-NOT:     workgroup(
// CHECK:         %[[BASE:.+]] = llvm.mlir.addressof @dynamic_shared_memory
// CHECK:         llvm.getelementptr %[[BASE]][0]
// CHECK:         llvm.getelementptr %[[BASE]][49152]
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @launches
// CHECK:         %[[BYTES:.+]] = arith.constant 49168 : i32
// CHECK:         gpu.launch_func @large_k::@large
// CHECK-SAME:      dynamic_shared_memory_size %[[BYTES]]
// CHECK:         gpu.launch_func @k::@none
// CHECK-NOT:     dynamic_shared_memory_size
module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @tile(%x: f32, %b: i8) kernel {
    %i = gpu.thread_id x
    %first = memref.alloc() : memref<8xf32, 3>
    %second = memref.alloc() : memref<4xi8, 3>
    memref.store %x, %first[%i] : memref<8xf32, 3>
    memref.store %b, %second[%i] : memref<4xi8, 3>
    gpu.return
  }
  gpu.func @one_more() workgroup(%old: memref<2xf32, 3>) kernel {
    %i = gpu.thread_id x
    %new = memref.alloc() : memref<8xf32, 3>
    %x = memref.load %old[%i] : memref<2xf32, 3>
    memref.store %x, %new[%i] : memref<8xf32, 3>
    gpu.return
  }
  gpu.func @none(%a: memref<8xf32>) kernel {
    gpu.return
  }
}
gpu.module @large_k {
  gpu.func @large(%x: f32) kernel {
    %i = gpu.thread_id x
    %first = memref.alloc() : memref<12288xf32, 3>
    %second = memref.alloc() : memref<1xf32, 3>
    memref.store %x, %first[%i] : memref<12288xf32, 3>
    memref.store %x, %second[%i] : memref<1xf32, 3>
    gpu.return
  }
}
func.func @launches(%x: f32, %a: memref<8xf32>) {
  %one = arith.constant 1 : index
  gpu.launch_func @large_k::@large blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%x : f32)
  gpu.launch_func @k::@none blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%a : memref<8xf32>)
  return
}
}

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

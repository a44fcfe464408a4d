// RUN: fuselage-opt %s --pass-pipeline='builtin.module(fuselage-set-kernel-abi)' | FileCheck %s

// Parameters are bindings of set 0 in order; a barrier orders buffers as well as workgroup memory.
// CHECK:       gpu.module @k
// CHECK-SAME:    spirv.target_env = #spirv.target_env
// CHECK:         gpu.func @kernel
// CHECK-SAME:      memref<8xf32, #spirv.storage_class<StorageBuffer>> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>}
// CHECK-SAME:      memref<1xi32, #spirv.storage_class<StorageBuffer>> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 1)>}
// CHECK-SAME:      spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [64, 2, 1]>
// CHECK:           memref.alloc() : memref<8xf32, #spirv.storage_class<Workgroup>>
// CHECK:           spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|UniformMemory|WorkgroupMemory>
// CHECK-NOT:       gpu.barrier
// A loop that may make no round, as its bounds say, yields what it began with.
// CHECK:         gpu.func @empty_loop
// CHECK:           %[[LOOP:[0-9]+]] = scf.for %{{.+}} = %{{.+}} to %[[N:[0-9]+]] step {{.*}} iter_args(%{{.+}} = %[[INIT:[0-9]+]])
// CHECK:           %[[RUNS:.+]] = arith.cmpi slt, %{{.+}}, %[[N]] : index
// CHECK:           %[[KEPT:.+]] = arith.select %[[RUNS]], %[[LOOP]], %[[INIT]] : i32
// CHECK:           memref.store %[[KEPT]]
// CHECK:           %[[FULL:.+]] = scf.for
// CHECK-NOT:       arith.select
// CHECK:           memref.store %[[FULL]]
// CHECK:         gpu.func @helper
// CHECK-NOT:       spirv.
// CHECK:           gpu.return
// CHECK:       func.func @launch
// CHECK:         %[[A:.+]] = builtin.unrealized_conversion_cast %{{.+}} : memref<8xf32> to memref<8xf32, #spirv.storage_class<StorageBuffer>>
// CHECK:         gpu.launch_func @k::@kernel {{.*}} args(%[[A]] :
module attributes {gpu.container_module} {
  gpu.module @k [#spirv.target_env<#spirv.vce<v1.3, [Shader], [SPV_KHR_storage_buffer_storage_class]>, #spirv.resource_limits<>>] {
    gpu.func @kernel(%a: memref<8xf32>, %b: memref<1xi32>) kernel attributes {known_block_size = array<i32: 64, 2, 1>} {
      %i = gpu.thread_id x
      %w = memref.alloc() : memref<8xf32, 3>
      %x = memref.load %a[%i] : memref<8xf32>
      memref.store %x, %w[%i] : memref<8xf32, 3>
      gpu.barrier
      gpu.return
    }
    gpu.func @empty_loop(%b: memref<1xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %x = memref.load %b[%c0] : memref<1xi32>
      %n = arith.index_cast %x : i32 to index
      %some = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> i32 {
        %s = arith.addi %a, %x : i32
        scf.yield %s : i32
      }
      memref.store %some, %b[%c0] : memref<1xi32>
      %four = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> i32 {
        %s = arith.addi %a, %x : i32
        scf.yield %s : i32
      }
      memref.store %four, %b[%c0] : memref<1xi32>
      gpu.return
    }
    gpu.func @helper() {
      gpu.return
    }
  }
  func.func @launch(%a: memref<8xf32>, %b: memref<1xi32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>, %b : memref<1xi32>)
    return
  }
}

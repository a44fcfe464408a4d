// What LLVM 23 and 24 write is read as LLVM 22 has it.
// RUN: fuselage-opt --tolerant %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR --implicit-check-not=error: --implicit-check-not="another version" < %t.err

// ERR-DAG: newer-syntax.mlir:[[#@LINE+4]]:8: warning: newer syntax: 'linalg.elementwise' as LLVM 24 writes it is read as LLVM 22 has it (2 ops)
// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<add>
  %0 = linalg.elementwise <add> ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.map { math.sin }
  %1 = linalg.elementwise <sin> ins(%0 : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// ERR-DAG: newer-syntax.mlir:[[#@LINE+4]]:8: warning: newer syntax: 'memref.alloc' as LLVM 24 writes it
// CHECK-LABEL: func.func @properties
func.func @properties(%x: memref<4xf32>, %i: index) -> memref<4xf32> {
  // CHECK: memref.alloc() {alignment = 64 : i64}
  %0 = memref.alloc() alignment = 64 : memref<4xf32>
  // CHECK: memref.load {{.*}} {alignment = 16 : i64, nontemporal = true}
  %1 = memref.load %x[%i] alignment = 16 nontemporal = true : memref<4xf32>
  // CHECK: memref.store {{.*}} {nontemporal = true}
  memref.store %1, %0[%i] <{nontemporal = true}> : memref<4xf32>
  return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func @packs_buffers
func.func @packs_buffers(%x: memref<64x64xf32>, %y: memref<4x4x16x16xf32>) {
  // CHECK: %[[PACKED:.*]] = linalg.pack
  // CHECK: bufferization.materialize_in_destination %[[PACKED]] in restrict writable
  linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %y : memref<64x64xf32> -> memref<4x4x16x16xf32>
  return
}

// CHECK-LABEL: func.func @nothing
func.func @nothing(%x: tensor<4xf32>) -> tensor<0xf32> {
  // CHECK: tensor.extract_slice %{{.*}}[0] [0] [1]
  %0 = tensor.extract_slice %x[4] [0] [1] : tensor<4xf32> to tensor<0xf32>
  return %0 : tensor<0xf32>
}

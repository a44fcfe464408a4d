// linalg and tensor ops as LLVM 14 to 21 wrote them are today's ops: nothing is tolerated, nothing left out.
// RUN: fuselage-opt --tolerant %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR --implicit-check-not=error: --implicit-check-not="another version" < %t.err

// ERR-DAG: recent-linalg.mlir:[[#@LINE+4]]:8: warning: old syntax: 'linalg.batch_matmul_transpose_b' is read as 'linalg.batch_matmul', as it is since LLVM 22 (1 op)
// CHECK-LABEL: func.func @transposed
func.func @transposed(%A: tensor<2x8x16xf32>, %B: tensor<2x4x16xf32>, %C: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  // CHECK: linalg.batch_matmul indexing_maps = [
  %0 = linalg.batch_matmul_transpose_b ins(%A, %B : tensor<2x8x16xf32>, tensor<2x4x16xf32>) outs(%C : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// CHECK-LABEL: func.func @unsigned
func.func @unsigned(%a: tensor<16x8xi8>, %b: tensor<8x4xi8>, %c: tensor<16x4xi32>) -> tensor<16x4xi32> {
  // CHECK: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
  %1 = linalg.matmul_unsigned ins(%a, %b : tensor<16x8xi8>, tensor<8x4xi8>) outs(%c : tensor<16x4xi32>) -> tensor<16x4xi32>
  return %1 : tensor<16x4xi32>
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%x: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<exp>
  %0 = linalg.elemwise_unary ins(%x : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: linalg.elementwise kind=#linalg.elementwise_kind<mul>
  %1 = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>, cast = #linalg.type_fn<cast_signed>} ins(%0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @packed
func.func @packed(%x: tensor<?x64xf32>, %o: tensor<?x64xf32>, %p: tensor<?x4x16x16xf32>, %z: f32) -> tensor<?x64xf32> {
  // CHECK: linalg.pack
  %1 = tensor.pack %x padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %p : tensor<?x64xf32> -> tensor<?x4x16x16xf32>
  // CHECK: linalg.unpack
  %2 = tensor.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %o : tensor<?x4x16x16xf32> -> tensor<?x64xf32>
  return %2 : tensor<?x64xf32>
}

// CHECK-LABEL: func.func @mapped
func.func @mapped(%x: tensor<4xf32>, %y: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.map { arith.addf }
  %0 = linalg.map ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>)
    (%a: f32, %b: f32) {
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    }
  return %0 : tensor<4xf32>
}

// The attribute in place of its name ends MLIR 22.
#trait = {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>]}
// CHECK-LABEL: func.func @iterators
func.func @iterators(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: iterator_types = ["parallel"]
  %0 = linalg.generic #trait ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @expanded
func.func @expanded(%x: tensor<?x?xf32>) -> tensor<?x4x?xf32> {
  // CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
  // CHECK-DAG: %[[ROWS:.*]] = tensor.dim %{{.*}}, %{{.*}}
  // CHECK: %[[QUOTIENT:.*]] = arith.divui %[[ROWS]], %[[FOUR]]
  // CHECK: output_shape [%[[QUOTIENT]], 4, %{{.*}}]
  %0 = tensor.expand_shape %x [[0, 1], [2]] : tensor<?x?xf32> into tensor<?x4x?xf32>
  return %0 : tensor<?x4x?xf32>
}

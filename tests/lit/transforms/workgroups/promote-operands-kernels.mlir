// Operands of contractions in kernels of another compiler.
// RUN: fuselage-opt %s --tolerant --pass-pipeline='builtin.module(fuselage-promote-operands{max-workgroup-bytes=1000000})' 2>/dev/null | FileCheck %s
// RUN: fuselage-opt %s --tolerant --fuselage-promote-operands 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: fuselage-opt %s --tolerant --fuselage-promote-operands 2>&1 | FileCheck %s --check-prefix=LIMIT

// The promoted value has other uses; they keep reading the original. A second product shares the copy.
// CHECK-LABEL: func.func @multi_use
// CHECK:         %[[A:.+]] = flow.dispatch.tensor.load {{.+}} -> tensor<32x1024xf32>
// CHECK:         %[[B:.+]] = flow.dispatch.tensor.load {{.+}} -> tensor<1024x128xf32>
// CHECK:         %[[PA:.+]] = bufferization.alloc_tensor() copy(%[[A]]) {memory_space = #gpu.address_space<workgroup>} : tensor<32x1024xf32>
// CHECK:         %[[PB:.+]] = bufferization.alloc_tensor() copy(%[[B]]) {memory_space = #gpu.address_space<workgroup>} : tensor<1024x128xf32>
// CHECK:         linalg.matmul ins(%[[PA]], %[[PB]] :
// CHECK-NOT:     bufferization.alloc_tensor
// CHECK:         linalg.matmul ins(%[[PA]], %[[PB]] :
// CHECK:         "some_use"(%[[A]]) : (tensor<32x1024xf32>) -> ()
// LIMIT:       remark: operand #0 is not promoted: its tile takes 131072 bytes, 0 of 31744 are in use; use smaller tiles or a larger max-workgroup-bytes
func.func @multi_use() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) alignment(64) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<2048x1024xf32>>
  %b1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) alignment(64) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<1024x512xf32>>
  %b2 = hal.interface.binding.subspan set(0) binding(2) type(storage_buffer) alignment(64) offset(%c0) : !flow.dispatch.tensor<readwrite:tensor<2048x512xf32>>
  %x = hal.interface.workgroup.id[0] : index
  %c = flow.dispatch.tensor.load %b2, offsets = [%x, 0], sizes = [32, 128], strides = [1, 1] : !flow.dispatch.tensor<readwrite:tensor<2048x512xf32>> -> tensor<32x128xf32>
  %a = flow.dispatch.tensor.load %b0, offsets = [%x, 0], sizes = [32, 1024], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<2048x1024xf32>> -> tensor<32x1024xf32>
  %b = flow.dispatch.tensor.load %b1, offsets = [0, 0], sizes = [1024, 128], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<1024x512xf32>> -> tensor<1024x128xf32>
  %m = linalg.matmul ins(%a, %b : tensor<32x1024xf32>, tensor<1024x128xf32>) outs(%c : tensor<32x128xf32>) -> tensor<32x128xf32>
  %n = linalg.matmul ins(%a, %b : tensor<32x1024xf32>, tensor<1024x128xf32>) outs(%m : tensor<32x128xf32>) -> tensor<32x128xf32>
  "some_use"(%a) : (tensor<32x1024xf32>) -> ()
  flow.dispatch.tensor.store %n, %b2, offsets = [%x, 0], sizes = [32, 128], strides = [1, 1] : tensor<32x128xf32> -> !flow.dispatch.tensor<readwrite:tensor<2048x512xf32>>
  return
}

// Must not be promoted: tiles at the border have no static size, and a row times a matrix reads each
// weight once.
// REMARK:      remark: operand #0 is not promoted: its tile 'tensor<?x1024xf32>' has no static shape
// CHECK-LABEL: func.func @border
// CHECK-NOT:     bufferization.alloc_tensor
// CHECK:         return
func.func @border() {
  %c0 = arith.constant 0 : index
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) alignment(64) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<33x1024xf32>>
  %b1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) alignment(64) offset(%c0) : !flow.dispatch.tensor<readonly:tensor<1024x33xf32>>
  %b2 = hal.interface.binding.subspan set(0) binding(2) type(storage_buffer) alignment(64) offset(%c0) : !flow.dispatch.tensor<readwrite:tensor<33x33xf32>>
  %x = hal.interface.workgroup.id[0] : index
  %n = affine.min affine_map<(d0) -> (d0 * -8 + 33, 8)>(%x)
  %a = flow.dispatch.tensor.load %b0, offsets = [%x, 0], sizes = [%n, 1024], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<33x1024xf32>> -> tensor<?x1024xf32>
  %b = flow.dispatch.tensor.load %b1, offsets = [0, %x], sizes = [1024, %n], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<1024x33xf32>> -> tensor<1024x?xf32>
  %c = flow.dispatch.tensor.load %b2, offsets = [%x, %x], sizes = [%n, %n], strides = [1, 1] : !flow.dispatch.tensor<readwrite:tensor<33x33xf32>> -> tensor<?x?xf32>
  %m = linalg.matmul {lowering_config = #iree_codegen.lowering_config<tile_sizes = [[8, 8, 32]]>} ins(%a, %b : tensor<?x1024xf32>, tensor<1024x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  flow.dispatch.tensor.store %m, %b2, offsets = [%x, %x], sizes = [%n, %n], strides = [1, 1] : tensor<?x?xf32> -> !flow.dispatch.tensor<readwrite:tensor<33x33xf32>>
  return
}

// A product that nobody gave a tile, in a function that is no kernel, stays as it is.
// CHECK-LABEL: func.func @host
// CHECK-NOT:     bufferization.alloc_tensor
// CHECK:         return
func.func @host(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
}

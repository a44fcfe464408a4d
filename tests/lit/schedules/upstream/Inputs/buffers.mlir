// Linalg on buffers.
func.func @matmul(%a: memref<32x16xf32>, %b: memref<16x24xf32>, %c: memref<32x24xf32>) {
  linalg.matmul ins(%a, %b : memref<32x16xf32>, memref<16x24xf32>) outs(%c : memref<32x24xf32>)
  return
}
func.func @exp(%a: memref<4x8xf32>, %b: memref<4x8xf32>) {
  linalg.exp ins(%a : memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  return
}

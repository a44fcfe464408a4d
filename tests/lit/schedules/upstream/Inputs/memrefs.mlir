// Buffers: allocations in loops, subviews, stores that nobody reads.
func.func private @use(memref<4xf32>)
func.func @temporary(%in: memref<16x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %buffer = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %row = memref.subview %in[%i, 0] [1, 4] [1, 1] : memref<16x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %row, %buffer : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
    linalg.exp ins(%buffer : memref<4xf32>) outs(%row : memref<4xf32, strided<[1], offset: ?>>)
  }
  return
}
func.func @dead(%x: f32) {
  %c0 = arith.constant 0 : index
  %never = memref.alloc() : memref<8xf32>
  memref.store %x, %never[%c0] : memref<8xf32>
  return
}
func.func @stack() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloca() : memref<4xf32>
  memref.store %one, %a[%c0] : memref<4xf32>
  func.call @use(%a) : (memref<4xf32>) -> ()
  return
}
func.func @view(%m: memref<8x8xf32>, %i: index) -> f32 {
  %v = memref.subview %m[%i, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
  %c1 = arith.constant 1 : index
  %x = memref.load %v[%c1, %c1] : memref<4x4xf32, strided<[8, 1], offset: ?>>
  return %x : f32
}
func.func @sized(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca(%i) : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}
func.func @dim(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %t = tensor.empty(%n) : tensor<?xf32>
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  return %d : index
}

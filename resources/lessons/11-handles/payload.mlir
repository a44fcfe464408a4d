// What the schedules of this folder transform: a matmul with a bias, and a nest of two loops.
func.func @layer(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<64x64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%all : tensor<64x64xf32>) -> tensor<64x64xf32>
  %product = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x64xf32>)
                           outs(%start : tensor<64x64xf32>) -> tensor<64x64xf32>
  %biased = linalg.add ins(%product, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                       outs(%all : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %biased : tensor<64x64xf32>
}

func.func @nest(%values: memref<16x32xf32>, %sums: memref<16x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %j = %c0 to %c32 step %c1 {
    %size = arith.muli %n, %n : index
    %whole = arith.index_cast %size : index to i32
    %scale = arith.sitofp %whole : i32 to f32
    scf.for %i = %c0 to %c16 step %c1 {
      %value = memref.load %values[%i, %j] : memref<16x32xf32>
      %scaled = arith.mulf %value, %scale : f32
      memref.store %scaled, %sums[%i, %j] : memref<16x32xf32>
    }
  }
  return
}

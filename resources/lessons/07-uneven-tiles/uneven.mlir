// A matmul whose sizes, 50 and 72, are no multiples of its tiles, 16 and 32.
func.func @uneven(%x: tensor<50x36xf32>, %w: tensor<36x72xf32>) -> tensor<50x72xf32> {
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<50x72xf32>
  %start = linalg.fill ins(%zero : f32) outs(%all : tensor<50x72xf32>) -> tensor<50x72xf32>
  %product = linalg.matmul ins(%x, %w : tensor<50x36xf32>, tensor<36x72xf32>)
                           outs(%start : tensor<50x72xf32>) -> tensor<50x72xf32>
  return %product : tensor<50x72xf32>
}

// A linear layer with ReLU, and the sum of each row.
func.func @layer(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>, %b: tensor<256xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<64x256xf32>
  %rows = tensor.empty() : tensor<64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%all : tensor<64x256xf32>) -> tensor<64x256xf32>
  %product = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x256xf32>)
                           outs(%start : tensor<64x256xf32>) -> tensor<64x256xf32>
  %wide = linalg.broadcast ins(%b : tensor<256xf32>) outs(%all : tensor<64x256xf32>) dimensions = [0]
  %biased = linalg.add ins(%product, %wide : tensor<64x256xf32>, tensor<64x256xf32>)
                       outs(%all : tensor<64x256xf32>) -> tensor<64x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%all : tensor<64x256xf32>) -> tensor<64x256xf32>
  %relu = linalg.max ins(%biased, %zeros : tensor<64x256xf32>, tensor<64x256xf32>)
                     outs(%all : tensor<64x256xf32>) -> tensor<64x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce ins(%relu : tensor<64x256xf32>) outs(%none : tensor<64xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %next = arith.addf %in, %out : f32
      linalg.yield %next : f32
    }
  return %sum : tensor<64xf32>
}

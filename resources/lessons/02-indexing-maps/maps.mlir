// Five ways to walk over a tensor: transpose, contract, broadcast, add, reduce.
func.func @maps(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %b: tensor<16xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %swapped = tensor.empty() : tensor<8x16xf32>
  %all = tensor.empty() : tensor<4x16xf32>
  %rows = tensor.empty() : tensor<4xf32>
  %wt = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%swapped : tensor<8x16xf32>) permutation = [1, 0]
  %start = linalg.fill ins(%zero : f32) outs(%all : tensor<4x16xf32>) -> tensor<4x16xf32>
  %product = linalg.matmul ins(%x, %wt : tensor<4x8xf32>, tensor<8x16xf32>)
                           outs(%start : tensor<4x16xf32>) -> tensor<4x16xf32>
  %wide = linalg.broadcast ins(%b : tensor<16xf32>) outs(%all : tensor<4x16xf32>) dimensions = [0]
  %biased = linalg.add ins(%product, %wide : tensor<4x16xf32>, tensor<4x16xf32>)
                       outs(%all : tensor<4x16xf32>) -> tensor<4x16xf32>
  %none = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce ins(%biased : tensor<4x16xf32>) outs(%none : tensor<4xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %next = arith.addf %in, %out : f32
      linalg.yield %next : f32
    }
  return %sum : tensor<4xf32>
}

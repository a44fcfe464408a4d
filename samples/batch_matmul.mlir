// The scores of 12 attention heads: Q K^T with K transposed already, scaled by 1/8.

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @scores(%q: tensor<12x128x64xf32>, %k: tensor<12x64x128xf32>) -> tensor<12x128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %init = tensor.empty() : tensor<12x128x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
  %qk = linalg.batch_matmul ins(%q, %k : tensor<12x128x64xf32>, tensor<12x64x128xf32>)
      outs(%fill : tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
  %scaled = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%qk : tensor<12x128x128xf32>) outs(%init : tensor<12x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %scale : f32
    linalg.yield %s : f32
  } -> tensor<12x128x128xf32>
  return %scaled : tensor<12x128x128xf32>
}

// Softmax over the last dimension of attention scores, in the five ops that exporters emit:
// max, subtract, exp, sum, divide.

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @softmax(%x: tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %full = tensor.empty() : tensor<12x128x128xf32>
  %rows = tensor.empty() : tensor<12x128xf32>
  %max_fill = linalg.fill ins(%lowest : f32) outs(%rows : tensor<12x128xf32>) -> tensor<12x128xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<12x128x128xf32>) outs(%max_fill : tensor<12x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<12x128xf32>
  %shifted = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %max : tensor<12x128x128xf32>, tensor<12x128xf32>) outs(%full : tensor<12x128x128xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    linalg.yield %d : f32
  } -> tensor<12x128x128xf32>
  %exp = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%shifted : tensor<12x128x128xf32>) outs(%full : tensor<12x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<12x128x128xf32>
  %sum_fill = linalg.fill ins(%zero : f32) outs(%rows : tensor<12x128xf32>) -> tensor<12x128xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%exp : tensor<12x128x128xf32>) outs(%sum_fill : tensor<12x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<12x128xf32>
  %probs = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%exp, %sum : tensor<12x128x128xf32>, tensor<12x128xf32>) outs(%full : tensor<12x128x128xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %p = arith.divf %in, %s : f32
    linalg.yield %p : f32
  } -> tensor<12x128x128xf32>
  return %probs : tensor<12x128x128xf32>
}

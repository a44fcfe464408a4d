// nn.Linear: x W^T + b, with the weight transposed by a generic of its own.
//
// The transpose, the matmul and the bias add are one kernel when fused, three when not: the smallest
// example of what a missed fusion costs.

#id = affine_map<(d0, d1) -> (d0, d1)>
#transpose = affine_map<(d0, d1) -> (d1, d0)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @linear(%x: tensor<128x768xf32>, %weight: tensor<768x768xf32>,
                  %bias: tensor<768xf32>) -> tensor<128x768xf32> {
  %zero = arith.constant 0.0 : f32
  %wt_init = tensor.empty() : tensor<768x768xf32>
  %wt = linalg.generic {indexing_maps = [#id, #transpose], iterator_types = ["parallel", "parallel"]}
      ins(%weight : tensor<768x768xf32>) outs(%wt_init : tensor<768x768xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<768x768xf32>
  %mm_init = tensor.empty() : tensor<128x768xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%mm_init : tensor<128x768xf32>) -> tensor<128x768xf32>
  %mm = linalg.matmul ins(%x, %wt : tensor<128x768xf32>, tensor<768x768xf32>)
      outs(%fill : tensor<128x768xf32>) -> tensor<128x768xf32>
  %y_init = tensor.empty() : tensor<128x768xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mm, %bias : tensor<128x768xf32>, tensor<768xf32>) outs(%y_init : tensor<128x768xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %sum = arith.addf %in, %b : f32
    linalg.yield %sum : f32
  } -> tensor<128x768xf32>
  return %y : tensor<128x768xf32>
}

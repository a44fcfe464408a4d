// The feed-forward block of a BERT-base layer: 768 -> 3072 with GELU, then back to 768, plus the
// residual. GELU is the exact form, 0.5 x (1 + erf(x / sqrt(2))) (Hendrycks and Gimpel, 2016).

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @mlp(%x: tensor<128x768xf32>, %w_up: tensor<768x3072xf32>, %b_up: tensor<3072xf32>,
               %w_down: tensor<3072x768xf32>, %b_down: tensor<768xf32>) -> tensor<128x768xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %rsqrt2 = arith.constant 0.707106769 : f32
  %up_init = tensor.empty() : tensor<128x3072xf32>
  %up_fill = linalg.fill ins(%zero : f32) outs(%up_init : tensor<128x3072xf32>) -> tensor<128x3072xf32>
  %up = linalg.matmul ins(%x, %w_up : tensor<128x768xf32>, tensor<768x3072xf32>)
      outs(%up_fill : tensor<128x3072xf32>) -> tensor<128x3072xf32>
  %up_bias = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up, %b_up : tensor<128x3072xf32>, tensor<3072xf32>) outs(%up_init : tensor<128x3072xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %sum = arith.addf %in, %b : f32
    linalg.yield %sum : f32
  } -> tensor<128x3072xf32>
  %gelu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up_bias : tensor<128x3072xf32>) outs(%up_init : tensor<128x3072xf32>) {
  ^bb0(%in: f32, %out: f32):
    %scaled = arith.mulf %in, %rsqrt2 : f32
    %erf = math.erf %scaled : f32
    %shifted = arith.addf %erf, %one : f32
    %halved = arith.mulf %in, %half : f32
    %result = arith.mulf %halved, %shifted : f32
    linalg.yield %result : f32
  } -> tensor<128x3072xf32>
  %down_init = tensor.empty() : tensor<128x768xf32>
  %down_fill = linalg.fill ins(%zero : f32) outs(%down_init : tensor<128x768xf32>) -> tensor<128x768xf32>
  %down = linalg.matmul ins(%gelu, %w_down : tensor<128x3072xf32>, tensor<3072x768xf32>)
      outs(%down_fill : tensor<128x768xf32>) -> tensor<128x768xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%down, %b_down, %x : tensor<128x768xf32>, tensor<768xf32>, tensor<128x768xf32>)
      outs(%down_init : tensor<128x768xf32>) {
  ^bb0(%in: f32, %b: f32, %residual: f32, %out: f32):
    %biased = arith.addf %in, %b : f32
    %sum = arith.addf %biased, %residual : f32
    linalg.yield %sum : f32
  } -> tensor<128x768xf32>
  return %y : tensor<128x768xf32>
}

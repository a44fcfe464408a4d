// fuselage step
util.func public @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = flow.tensor.reshape %2#0 : tensor<4xf32> -> tensor<4xf32>
  %2:2 = util.optimization_barrier %0, %2#0 : tensor<4xf32>, tensor<4xf32>
  %3 = linalg.exp ins(%2#1 : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  util.return %3 : tensor<4xf32>
}

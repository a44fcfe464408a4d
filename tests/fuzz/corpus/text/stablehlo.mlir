module @jit attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<2x5xf32> {jax.result_info = ""}) {
    %cst = stablehlo.constant dense<1.0> : tensor<3x5xf32>
    %0 = stablehlo.dot_general %arg0, %cst, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x5xf32>, tensor<3x5xf32>) -> tensor<2xf32>
    %2 = "stablehlo.gather"(%0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], index_vector_dim = 1>}> : (tensor<2x5xf32>, tensor<2xf32>) -> tensor<2x5xf32>
    %3:2 = stablehlo.while(%a = %0, %b = %2) : tensor<2x5xf32>, tensor<2x5xf32>
     cond {
      %p = stablehlo.compare LT, %a, %b, FLOAT : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %a, %b : tensor<2x5xf32>, tensor<2x5xf32>
    }
    return %3#0 : tensor<2x5xf32>
  }
}

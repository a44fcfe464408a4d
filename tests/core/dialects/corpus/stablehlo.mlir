module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32> {mhlo.sharding = "{replicated}"}, %arg1: tensor<3x4xf32>) -> (tensor<2x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %2 = stablehlo.maximum %0, %1 : tensor<2x4xf32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    %4 = stablehlo.compare  GT, %2, %1,  FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %5 = stablehlo.select %4, %2, %1 : tensor<2x4xi1>, tensor<2x4xf32>
    %6:2 = stablehlo.while(%iterArg = %3, %iterArg_0 = %cst) : tensor<2xf32>, tensor<f32>
     cond {
      %9 = stablehlo.compare  LT, %iterArg_0, %cst : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = stablehlo.add %iterArg, %iterArg : tensor<2xf32>
      stablehlo.return %9, %iterArg_0 : tensor<2xf32>, tensor<f32>
    }
    %7 = "stablehlo.reduce_window"(%2, %cst) <{window_dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %9 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x3xf32>
    %8 = stablehlo.reduce(%2 init: %cst) across dimensions = [0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
      %9 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }
    %10 = stablehlo.slice %2 [0:1, 0:2:1] : (tensor<2x4xf32>) -> tensor<1x2xf32>
    %11 = stablehlo.custom_call @foo(%2) {backend_config = ""} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %12 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %13 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %14 = stablehlo.iota dim = 0 : tensor<4xi32>
    %15 = stablehlo.convert %14 : (tensor<4xi32>) -> tensor<4xf32>
    %16:2 = stablehlo.optimization_barrier %15, %14 : tensor<4xf32>, tensor<4xi32>
    %17 = chlo.erf %16#0 : tensor<4xf32> -> tensor<4xf32>
    %18 = call @relu(%2) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    return %18 : tensor<2x4xf32>
  }
  func.func private @relu(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
    return %arg0 : tensor<2x4xf32>
  }
}

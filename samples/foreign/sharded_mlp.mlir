// A layer of a transformer on a mesh of 2 x 4 devices, as jax.shard_map writes it: rows are split over "data", the hidden
// dimension over "model". Each device multiplies by its part of the weights, and an all-reduce adds up the partial results.
// `fuselage mesh` shows how values lie on the mesh; `fuselage explain` says past which ops the collectives may be moved.
module @mlp attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%x: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                         %w1: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
                         %w2: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>},
                         %bias: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
      -> (tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
    %0 = sdy.manual_computation(%x, %w1, %w2, %bias) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{"model"}, {}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"data"}, {}]>] manual_axes={"data", "model"} (%xs: tensor<16x64xf32>, %w1s: tensor<64x64xf32>, %w2s: tensor<64x64xf32>, %bs: tensor<64xf32>) {
      %half = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %h = stablehlo.dot_general %xs, %w1s, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
      %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
      %relu = stablehlo.maximum %h, %zeros : tensor<16x64xf32>
      %partial = stablehlo.dot_general %relu, %w2s, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
      // The sum over "model". Scaling by 0.5 is linear, so that each device may scale its summand instead.
      %sum = "stablehlo.all_reduce"(%partial) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %add = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %add : tensor<f32>
      }) : (tensor<16x64xf32>) -> tensor<16x64xf32>
      %halves = stablehlo.broadcast_in_dim %half, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
      %scaled = stablehlo.multiply %sum, %halves : tensor<16x64xf32>
      %biases = stablehlo.broadcast_in_dim %bs, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
      %biased = stablehlo.add %scaled, %biases : tensor<16x64xf32>
      // The largest of all columns, over "data": adding what is the same everywhere keeps their order.
      %largest = "stablehlo.all_reduce"(%biased) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %max = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %max : tensor<f32>
      }) : (tensor<16x64xf32>) -> tensor<16x64xf32>
      %exp = stablehlo.exponential %largest : tensor<16x64xf32>
      sdy.return %exp : tensor<16x64xf32>
    } : (tensor<32x64xf32>, tensor<64x256xf32>, tensor<256x64xf32>, tensor<64xf32>) -> tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
}

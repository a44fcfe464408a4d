// Shardings and collectives of MLIR's shard dialect.
shard.grid @g(shape = 2x4)
func.func @f(%a: tensor<8x16xf32>, %b: tensor<2x4xf32>) -> (tensor<8x16xf32>, tensor<2x4xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %h = shard.sharding @g split_axes = [[0, 1]] halo_sizes = [1, 2] : !shard.sharding
  %0 = shard.shard %a to %s : tensor<8x16xf32>
  %1 = shard.shard %0 to %h annotate_for_users : tensor<8x16xf32>

  %2 = shard.all_reduce %b on @g grid_axes = [1] reduction = max : tensor<2x4xf32> -> tensor<2x4xf32>
  %3 = shard.all_gather %2 on @g grid_axes = [0] gather_axis = 1 : tensor<2x4xf32> -> tensor<2x8xf32>
  %4 = shard.all_slice %3 on @g grid_axes = [0] slice_axis = 1 : tensor<2x8xf32> -> tensor<2x4xf32>
  return %1, %4 : tensor<8x16xf32>, tensor<2x4xf32>
}

func.func @v(%m: memref<8x8xf32>, %i: index, %f: f32) -> vector<4xf32> {
  %r = vector.transfer_read %m[%i, %i], %f {in_bounds = [true]} : memref<8x8xf32>, vector<4xf32>
  %c = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %r, %r, %f : vector<4xf32>, vector<4xf32> into f32
  %t = tensor.empty(%i) : tensor<?x4xf32>
  %p = tensor.pad %t low[0, %i] high[1, 1] { ^bb0(%x: index, %y: index): tensor.yield %f : f32 } : tensor<?x4xf32> to tensor<?x?xf32>
  %k = tosa.transpose %t {perms = array<i32: 1, 0>} : (tensor<?x4xf32>) -> tensor<4x?xf32>
  return %r : vector<4xf32>
}

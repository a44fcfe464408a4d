func.func @f(%arg0: index, %arg1: index, %t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = xla.loop (%arg0, %arg1)[%i, %j] -> (%ra, %rb) in affine_map<(d0, d1)[s0, s1] -> (d0 + s0, d1 + s1)> iter_args(%acc = %t) -> (tensor<8x8xf32>) {
    %x = tensor.extract %acc[%i, %j] : tensor<8x8xf32>
    %y = math.exp %x : f32
    %u = tensor.insert %y into %acc[%ra, %rb] : tensor<8x8xf32>
    xla.yield %u : tensor<8x8xf32>
  }
  %s = math.exp %r : tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

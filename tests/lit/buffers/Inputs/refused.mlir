func.func @refused(%m: memref<8xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf32>
  %x = tensor.extract %t[%i] : tensor<8xf32>
  return %x : f32
}
func.func @fine(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %written = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  return %written, %old : tensor<8xf32>, f32
}

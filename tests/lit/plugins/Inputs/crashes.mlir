#m = affine_map<(d0) -> (d0)>
func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %first = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %q = arith.subf %x, %y : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %second = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel"]} ins(%first, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %q = arith.subf %y, %x : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %second : tensor<64xf32>
}

// A product with a bias and a ReLU.
func.func @matmul(%a: tensor<192x64xf32>, %b: tensor<64x256xf32>, %bias: tensor<256xf32>) -> tensor<192x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<192x256xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<192x256xf32>) -> tensor<192x256xf32>
  %c = linalg.matmul ins(%a, %b : tensor<192x64xf32>, tensor<64x256xf32>) outs(%fill : tensor<192x256xf32>) -> tensor<192x256xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<192x256xf32>, tensor<256xf32>) outs(%empty : tensor<192x256xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %sum = arith.addf %x, %y : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<192x256xf32>
  return %r : tensor<192x256xf32>
}

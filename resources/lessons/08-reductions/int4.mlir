// A matmul with weights of 4 bits, which are dequantized first: y = x ((w - zero_point) * scale). K = 2 groups of 64 elements; each
// group has a scale and a zero point per column.
#weights = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#groups = affine_map<(d0, d1, d2) -> (d0, d2)>
#lhs = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#rhs = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#result = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

func.func @linear(%x: tensor<16x2x64xf32>, %w: tensor<2x64x128xi4>, %scale: tensor<2x128xf32>,
                  %zero_point: tensor<2x128xi4>) -> tensor<16x128xf32> {
  %zero = arith.constant 0.0 : f32
  %floats = tensor.empty() : tensor<2x64x128xf32>
  %dequant = linalg.generic {indexing_maps = [#weights, #groups, #groups, #weights],
                             iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scale, %zero_point : tensor<2x64x128xi4>, tensor<2x128xf32>, tensor<2x128xi4>)
      outs(%floats : tensor<2x64x128xf32>) {
  ^bb0(%in: i4, %s: f32, %zp: i4, %out: f32):
    %wide = arith.extsi %in : i4 to i32
    %wide_zp = arith.extsi %zp : i4 to i32
    %centered = arith.subi %wide, %wide_zp : i32
    %float = arith.sitofp %centered : i32 to f32
    %scaled = arith.mulf %float, %s : f32
    linalg.yield %scaled : f32
  } -> tensor<2x64x128xf32>
  %all = tensor.empty() : tensor<16x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%all : tensor<16x128xf32>) -> tensor<16x128xf32>
  %y = linalg.generic {indexing_maps = [#lhs, #rhs, #result],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %dequant : tensor<16x2x64xf32>, tensor<2x64x128xf32>) outs(%fill : tensor<16x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    %sum = arith.addf %out, %product : f32
    linalg.yield %sum : f32
  } -> tensor<16x128xf32>
  return %y : tensor<16x128xf32>
}

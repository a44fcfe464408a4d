// A matmul with weights of 4 bits, dequantised on the fly: y = x ((w - zero_point) * scale).
//
// Weights are int4 in 4 groups of 128 along the reduction, with a scale and a zero point for each
// group and output column, as in weight-only quantisation of large language models.

#weights = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#groups = affine_map<(d0, d1, d2) -> (d0, d2)>
#lhs = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#rhs = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#result = affine_map<(d0, d1, d2, d3) -> (d0, d1)>

func.func @int4_dequant_matmul(%x: tensor<64x4x128xf32>, %w: tensor<4x128x256xi4>,
                               %scale: tensor<4x256xf32>,
                               %zero_point: tensor<4x256xi4>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %dequant_init = tensor.empty() : tensor<4x128x256xf32>
  %dequant = linalg.generic {indexing_maps = [#weights, #groups, #groups, #weights],
                             iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %scale, %zero_point : tensor<4x128x256xi4>, tensor<4x256xf32>, tensor<4x256xi4>)
      outs(%dequant_init : tensor<4x128x256xf32>) {
  ^bb0(%in: i4, %s: f32, %zp: i4, %out: f32):
    %wide = arith.extsi %in : i4 to i32
    %wide_zp = arith.extsi %zp : i4 to i32
    %centred = arith.subi %wide, %wide_zp : i32
    %float = arith.sitofp %centred : i32 to f32
    %scaled = arith.mulf %float, %s : f32
    linalg.yield %scaled : f32
  } -> tensor<4x128x256xf32>
  %y_init = tensor.empty() : tensor<64x256xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%y_init : tensor<64x256xf32>) -> tensor<64x256xf32>
  %y = linalg.generic {indexing_maps = [#lhs, #rhs, #result],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %dequant : tensor<64x4x128xf32>, tensor<4x128x256xf32>) outs(%fill : tensor<64x256xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %product = arith.mulf %a, %b : f32
    %sum = arith.addf %out, %product : f32
    linalg.yield %sum : f32
  } -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}

// fuselage explain-conservative
  %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%29, %33 : tensor<?x32x128xf16>, tensor<110x32x128xf16>) outs(%32 : tensor<?x110xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %35 = arith.mulf %in, %in_0 : f16
    %36 = arith.addf %35, %out : f16
    linalg.yield %36 : f16
  } -> tensor<?x110xf16>
  return %34

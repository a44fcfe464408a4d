// Math functions, at arguments inside their domains.
#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#tr2 = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @exp_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.exp %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @exp2_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.exp2 %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @expm1_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.expm1 %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @sin_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.sin %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @cos_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.cos %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @tan_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.tan %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @tanh_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.tanh %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @sinh_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.sinh %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @cosh_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.cosh %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @asin_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %y = math.asin %x0 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @acos_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %y = math.acos %x0 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @atan_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.atan %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @asinh_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.asinh %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @atanh_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %y = math.atanh %x0 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @erf_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.erf %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @erfc_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.erfc %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @cbrt_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.cbrt %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @floor_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.floor %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @ceil_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.ceil %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @round_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.round %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @roundeven_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.roundeven %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @trunc_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.trunc %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @absf_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.25 : f32
    %s = arith.mulf %x0, %k : f32
    %y = math.absf %s : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @log_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 1.5 : f32
    %s = arith.addf %x0, %k : f32
    %s2 = arith.mulf %s, %s : f32
    %s3 = math.absf %s2 : f32
    %y = math.log %s2 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @log2_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 1.5 : f32
    %s = arith.addf %x0, %k : f32
    %s2 = arith.mulf %s, %s : f32
    %s3 = math.absf %s2 : f32
    %y = math.log2 %s2 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @log10_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 1.5 : f32
    %s = arith.addf %x0, %k : f32
    %s2 = arith.mulf %s, %s : f32
    %s3 = math.absf %s2 : f32
    %y = math.log10 %s2 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @log1p_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 1.5 : f32
    %s = arith.addf %x0, %k : f32
    %s2 = arith.mulf %s, %s : f32
    %s3 = math.absf %s2 : f32
    %y = math.log1p %s2 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @sqrt_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 1.5 : f32
    %s = arith.addf %x0, %k : f32
    %s2 = arith.mulf %s, %s : f32
    %s3 = math.absf %s2 : f32
    %y = math.sqrt %s2 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @rsqrt_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 1.5 : f32
    %s = arith.addf %x0, %k : f32
    %s2 = arith.mulf %s, %s : f32
    %s3 = math.absf %s2 : f32
    %y = math.rsqrt %s2 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @acosh_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %y = math.acosh %x0 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @exp_f16(%a0: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %k = arith.constant 3.25 : f16
    %s = arith.mulf %x0, %k : f16
    %y = math.exp %s : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @tanh_f16(%a0: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %k = arith.constant 3.25 : f16
    %s = arith.mulf %x0, %k : f16
    %y = math.tanh %s : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @erf_f16(%a0: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %k = arith.constant 3.25 : f16
    %s = arith.mulf %x0, %k : f16
    %y = math.erf %s : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @floor_f16(%a0: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %k = arith.constant 3.25 : f16
    %s = arith.mulf %x0, %k : f16
    %y = math.floor %s : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @round_f16(%a0: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %k = arith.constant 3.25 : f16
    %s = arith.mulf %x0, %k : f16
    %y = math.round %s : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @log_f16(%a0: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %k = arith.constant 1.5 : f16
    %s = arith.addf %x0, %k : f16
    %s2 = arith.mulf %s, %s : f16
    %s3 = math.absf %s2 : f16
    %y = math.log %s2 : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @rsqrt_f16(%a0: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %k = arith.constant 1.5 : f16
    %s = arith.addf %x0, %k : f16
    %s2 = arith.mulf %s, %s : f16
    %s3 = math.absf %s2 : f16
    %y = math.rsqrt %s2 : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @exp_bf16(%a0: tensor<13x37xbf16>) -> tensor<13x37xbf16> {
  %e = tensor.empty() : tensor<13x37xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xbf16>) outs(%e : tensor<13x37xbf16>) {
  ^bb0(%x0: bf16, %o: bf16):
    %k = arith.constant 3.25 : bf16
    %s = arith.mulf %x0, %k : bf16
    %y = math.exp %s : bf16
    linalg.yield %y : bf16
  } -> tensor<13x37xbf16>
  return %r : tensor<13x37xbf16>
}
func.func @tanh_bf16(%a0: tensor<13x37xbf16>) -> tensor<13x37xbf16> {
  %e = tensor.empty() : tensor<13x37xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xbf16>) outs(%e : tensor<13x37xbf16>) {
  ^bb0(%x0: bf16, %o: bf16):
    %k = arith.constant 3.25 : bf16
    %s = arith.mulf %x0, %k : bf16
    %y = math.tanh %s : bf16
    linalg.yield %y : bf16
  } -> tensor<13x37xbf16>
  return %r : tensor<13x37xbf16>
}
func.func @erf_bf16(%a0: tensor<13x37xbf16>) -> tensor<13x37xbf16> {
  %e = tensor.empty() : tensor<13x37xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xbf16>) outs(%e : tensor<13x37xbf16>) {
  ^bb0(%x0: bf16, %o: bf16):
    %k = arith.constant 3.25 : bf16
    %s = arith.mulf %x0, %k : bf16
    %y = math.erf %s : bf16
    linalg.yield %y : bf16
  } -> tensor<13x37xbf16>
  return %r : tensor<13x37xbf16>
}
func.func @log_bf16(%a0: tensor<13x37xbf16>) -> tensor<13x37xbf16> {
  %e = tensor.empty() : tensor<13x37xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xbf16>) outs(%e : tensor<13x37xbf16>) {
  ^bb0(%x0: bf16, %o: bf16):
    %k = arith.constant 1.5 : bf16
    %s = arith.addf %x0, %k : bf16
    %s2 = arith.mulf %s, %s : bf16
    %s3 = math.absf %s2 : bf16
    %y = math.log %s2 : bf16
    linalg.yield %y : bf16
  } -> tensor<13x37xbf16>
  return %r : tensor<13x37xbf16>
}
func.func @rsqrt_bf16(%a0: tensor<13x37xbf16>) -> tensor<13x37xbf16> {
  %e = tensor.empty() : tensor<13x37xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xbf16>) outs(%e : tensor<13x37xbf16>) {
  ^bb0(%x0: bf16, %o: bf16):
    %k = arith.constant 1.5 : bf16
    %s = arith.addf %x0, %k : bf16
    %s2 = arith.mulf %s, %s : bf16
    %s3 = math.absf %s2 : bf16
    %y = math.rsqrt %s2 : bf16
    linalg.yield %y : bf16
  } -> tensor<13x37xbf16>
  return %r : tensor<13x37xbf16>
}
func.func @powf_f32(%a0: tensor<13x37xf32>, %a1: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf32>, tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %y = math.powf %x0, %x1 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @pow2_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 2.0 : f32
    %y = math.powf %x0, %k : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @pow3_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3.0 : f32
    %y = math.powf %x0, %k : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @fpowi_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %k = arith.constant 3 : i32
    %y = math.fpowi %x0, %k : f32, i32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @fma_f32(%a0: tensor<13x37xf32>, %a1: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf32>, tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %y = math.fma %x0, %x1, %x0 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @atan2_f32(%a0: tensor<13x37xf32>, %a1: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf32>, tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %y = math.atan2 %x0, %x1 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @copysign_f32(%a0: tensor<13x37xf32>, %a1: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf32>, tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %y = math.copysign %x0, %x1 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @isnan_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: f32, %o: i1):
    %z = arith.divf %x0, %x0 : f32
    %y = math.isnan %z : f32
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @isinf_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: f32, %o: i1):
    %k = arith.constant 0.0 : f32
    %c = arith.constant 1.0 : f32
    %z = arith.divf %c, %k : f32
    %w = arith.addf %z, %x0 : f32
    %y = math.isinf %w : f32
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @isfinite_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: f32, %o: i1):
    %y = math.isfinite %x0 : f32
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @clampf_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %a = arith.constant -0.5 : f32
    %b = arith.constant 0.25 : f32
    %y = math.clampf %x0 to [%a, %b] : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @ctlz_i8(%a0: tensor<13x37xi8>) -> tensor<13x37xi8> {
  %e = tensor.empty() : tensor<13x37xi8>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi8>) outs(%e : tensor<13x37xi8>) {
  ^bb0(%x0: i8, %o: i8):
    %y = math.ctlz %x0 : i8
    linalg.yield %y : i8
  } -> tensor<13x37xi8>
  return %r : tensor<13x37xi8>
}
func.func @cttz_i8(%a0: tensor<13x37xi8>) -> tensor<13x37xi8> {
  %e = tensor.empty() : tensor<13x37xi8>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi8>) outs(%e : tensor<13x37xi8>) {
  ^bb0(%x0: i8, %o: i8):
    %y = math.cttz %x0 : i8
    linalg.yield %y : i8
  } -> tensor<13x37xi8>
  return %r : tensor<13x37xi8>
}
func.func @ctpop_i8(%a0: tensor<13x37xi8>) -> tensor<13x37xi8> {
  %e = tensor.empty() : tensor<13x37xi8>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi8>) outs(%e : tensor<13x37xi8>) {
  ^bb0(%x0: i8, %o: i8):
    %y = math.ctpop %x0 : i8
    linalg.yield %y : i8
  } -> tensor<13x37xi8>
  return %r : tensor<13x37xi8>
}
func.func @absi_i8(%a0: tensor<13x37xi8>) -> tensor<13x37xi8> {
  %e = tensor.empty() : tensor<13x37xi8>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi8>) outs(%e : tensor<13x37xi8>) {
  ^bb0(%x0: i8, %o: i8):
    %y = math.absi %x0 : i8
    linalg.yield %y : i8
  } -> tensor<13x37xi8>
  return %r : tensor<13x37xi8>
}
func.func @ctlz_i16(%a0: tensor<13x37xi16>) -> tensor<13x37xi16> {
  %e = tensor.empty() : tensor<13x37xi16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi16>) outs(%e : tensor<13x37xi16>) {
  ^bb0(%x0: i16, %o: i16):
    %y = math.ctlz %x0 : i16
    linalg.yield %y : i16
  } -> tensor<13x37xi16>
  return %r : tensor<13x37xi16>
}
func.func @cttz_i16(%a0: tensor<13x37xi16>) -> tensor<13x37xi16> {
  %e = tensor.empty() : tensor<13x37xi16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi16>) outs(%e : tensor<13x37xi16>) {
  ^bb0(%x0: i16, %o: i16):
    %y = math.cttz %x0 : i16
    linalg.yield %y : i16
  } -> tensor<13x37xi16>
  return %r : tensor<13x37xi16>
}
func.func @ctpop_i16(%a0: tensor<13x37xi16>) -> tensor<13x37xi16> {
  %e = tensor.empty() : tensor<13x37xi16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi16>) outs(%e : tensor<13x37xi16>) {
  ^bb0(%x0: i16, %o: i16):
    %y = math.ctpop %x0 : i16
    linalg.yield %y : i16
  } -> tensor<13x37xi16>
  return %r : tensor<13x37xi16>
}
func.func @absi_i16(%a0: tensor<13x37xi16>) -> tensor<13x37xi16> {
  %e = tensor.empty() : tensor<13x37xi16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi16>) outs(%e : tensor<13x37xi16>) {
  ^bb0(%x0: i16, %o: i16):
    %y = math.absi %x0 : i16
    linalg.yield %y : i16
  } -> tensor<13x37xi16>
  return %r : tensor<13x37xi16>
}
func.func @ctlz_i32(%a0: tensor<13x37xi32>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi32>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: i32, %o: i32):
    %y = math.ctlz %x0 : i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @cttz_i32(%a0: tensor<13x37xi32>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi32>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: i32, %o: i32):
    %y = math.cttz %x0 : i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @ctpop_i32(%a0: tensor<13x37xi32>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi32>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: i32, %o: i32):
    %y = math.ctpop %x0 : i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @absi_i32(%a0: tensor<13x37xi32>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi32>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: i32, %o: i32):
    %y = math.absi %x0 : i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @ctlz_i64(%a0: tensor<13x37xi64>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i64, %o: i64):
    %y = math.ctlz %x0 : i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @cttz_i64(%a0: tensor<13x37xi64>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i64, %o: i64):
    %y = math.cttz %x0 : i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @ctpop_i64(%a0: tensor<13x37xi64>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i64, %o: i64):
    %y = math.ctpop %x0 : i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @absi_i64(%a0: tensor<13x37xi64>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i64, %o: i64):
    %y = math.absi %x0 : i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @exp_f64(%a0: tensor<13x37xf64>) -> tensor<13x37xf64> {
  %e = tensor.empty() : tensor<13x37xf64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf64>) outs(%e : tensor<13x37xf64>) {
  ^bb0(%x0: f64, %o: f64):
    %y = math.exp %x0 : f64
    linalg.yield %y : f64
  } -> tensor<13x37xf64>
  return %r : tensor<13x37xf64>
}
func.func @tanh_f64(%a0: tensor<13x37xf64>) -> tensor<13x37xf64> {
  %e = tensor.empty() : tensor<13x37xf64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf64>) outs(%e : tensor<13x37xf64>) {
  ^bb0(%x0: f64, %o: f64):
    %y = math.tanh %x0 : f64
    linalg.yield %y : f64
  } -> tensor<13x37xf64>
  return %r : tensor<13x37xf64>
}
func.func @log_f64(%a0: tensor<13x37xf64>) -> tensor<13x37xf64> {
  %e = tensor.empty() : tensor<13x37xf64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf64>) outs(%e : tensor<13x37xf64>) {
  ^bb0(%x0: f64, %o: f64):
    %y = math.log %x0 : f64
    linalg.yield %y : f64
  } -> tensor<13x37xf64>
  return %r : tensor<13x37xf64>
}
func.func @rsqrt_f64(%a0: tensor<13x37xf64>) -> tensor<13x37xf64> {
  %e = tensor.empty() : tensor<13x37xf64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf64>) outs(%e : tensor<13x37xf64>) {
  ^bb0(%x0: f64, %o: f64):
    %y = math.rsqrt %x0 : f64
    linalg.yield %y : f64
  } -> tensor<13x37xf64>
  return %r : tensor<13x37xf64>
}

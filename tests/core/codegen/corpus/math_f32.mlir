// Math functions of f32, at arguments inside their domains.
#id2 = affine_map<(d0, d1) -> (d0, d1)>

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

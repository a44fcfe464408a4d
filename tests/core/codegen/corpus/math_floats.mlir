// Math functions of f16, bf16 and f64, at arguments inside their domains.
#id2 = affine_map<(d0, d1) -> (d0, d1)>

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

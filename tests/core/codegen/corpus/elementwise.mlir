// Elementwise ops over every element type and every scalar op.
#id1 = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#tr2 = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @add_mul_f16(%a0: tensor<13x37xf16>, %a1: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf16>, tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %x1: f16, %o: f16):
    %s = arith.addf %x0, %x1 : f16
    %m = arith.mulf %s, %x0 : f16
    %y = arith.subf %m, %x1 : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @maxmin_f16(%a0: tensor<13x37xf16>, %a1: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf16>, tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %x1: f16, %o: f16):
    %s = arith.maximumf %x0, %x1 : f16
    %m = arith.minimumf %s, %x0 : f16
    %n = arith.maxnumf %m, %x1 : f16
    %c = arith.cmpf olt, %n, %x0 : f16
    %y = arith.select %c, %n, %x1 : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @to_i32_f16(%a0: tensor<13x37xf16>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: f16, %o: i32):
    %k = arith.constant 16.0 : f16
    %s = arith.mulf %x0, %k : f16
    %y = arith.fptosi %s : f16 to i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @negabs_f16(%a0: tensor<13x37xf16>) -> tensor<13x37xf16> {
  %e = tensor.empty() : tensor<13x37xf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %n = arith.negf %x0 : f16
    %m = math.absf %n : f16
    %k = arith.constant 1.5 : f16
    %d = arith.divf %m, %k : f16
    %y = math.sqrt %d : f16
    linalg.yield %y : f16
  } -> tensor<13x37xf16>
  return %r : tensor<13x37xf16>
}
func.func @add_mul_bf16(%a0: tensor<13x37xbf16>, %a1: tensor<13x37xbf16>) -> tensor<13x37xbf16> {
  %e = tensor.empty() : tensor<13x37xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xbf16>, tensor<13x37xbf16>) outs(%e : tensor<13x37xbf16>) {
  ^bb0(%x0: bf16, %x1: bf16, %o: bf16):
    %s = arith.addf %x0, %x1 : bf16
    %m = arith.mulf %s, %x0 : bf16
    %y = arith.subf %m, %x1 : bf16
    linalg.yield %y : bf16
  } -> tensor<13x37xbf16>
  return %r : tensor<13x37xbf16>
}
func.func @maxmin_bf16(%a0: tensor<13x37xbf16>, %a1: tensor<13x37xbf16>) -> tensor<13x37xbf16> {
  %e = tensor.empty() : tensor<13x37xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xbf16>, tensor<13x37xbf16>) outs(%e : tensor<13x37xbf16>) {
  ^bb0(%x0: bf16, %x1: bf16, %o: bf16):
    %s = arith.maximumf %x0, %x1 : bf16
    %m = arith.minimumf %s, %x0 : bf16
    %n = arith.maxnumf %m, %x1 : bf16
    %c = arith.cmpf olt, %n, %x0 : bf16
    %y = arith.select %c, %n, %x1 : bf16
    linalg.yield %y : bf16
  } -> tensor<13x37xbf16>
  return %r : tensor<13x37xbf16>
}
func.func @to_i32_bf16(%a0: tensor<13x37xbf16>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xbf16>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: bf16, %o: i32):
    %k = arith.constant 16.0 : bf16
    %s = arith.mulf %x0, %k : bf16
    %y = arith.fptosi %s : bf16 to i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @negabs_bf16(%a0: tensor<13x37xbf16>) -> tensor<13x37xbf16> {
  %e = tensor.empty() : tensor<13x37xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xbf16>) outs(%e : tensor<13x37xbf16>) {
  ^bb0(%x0: bf16, %o: bf16):
    %n = arith.negf %x0 : bf16
    %m = math.absf %n : bf16
    %k = arith.constant 1.5 : bf16
    %d = arith.divf %m, %k : bf16
    %y = math.sqrt %d : bf16
    linalg.yield %y : bf16
  } -> tensor<13x37xbf16>
  return %r : tensor<13x37xbf16>
}
func.func @add_mul_f32(%a0: tensor<13x37xf32>, %a1: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf32>, tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %s = arith.addf %x0, %x1 : f32
    %m = arith.mulf %s, %x0 : f32
    %y = arith.subf %m, %x1 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @maxmin_f32(%a0: tensor<13x37xf32>, %a1: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf32>, tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %x1: f32, %o: f32):
    %s = arith.maximumf %x0, %x1 : f32
    %m = arith.minimumf %s, %x0 : f32
    %n = arith.maxnumf %m, %x1 : f32
    %c = arith.cmpf olt, %n, %x0 : f32
    %y = arith.select %c, %n, %x1 : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @to_i32_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: f32, %o: i32):
    %k = arith.constant 16.0 : f32
    %s = arith.mulf %x0, %k : f32
    %y = arith.fptosi %s : f32 to i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @negabs_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: f32, %o: f32):
    %n = arith.negf %x0 : f32
    %m = math.absf %n : f32
    %k = arith.constant 1.5 : f32
    %d = arith.divf %m, %k : f32
    %y = math.sqrt %d : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @add_mul_f64(%a0: tensor<13x37xf64>, %a1: tensor<13x37xf64>) -> tensor<13x37xf64> {
  %e = tensor.empty() : tensor<13x37xf64>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf64>, tensor<13x37xf64>) outs(%e : tensor<13x37xf64>) {
  ^bb0(%x0: f64, %x1: f64, %o: f64):
    %s = arith.addf %x0, %x1 : f64
    %m = arith.mulf %s, %x0 : f64
    %y = arith.subf %m, %x1 : f64
    linalg.yield %y : f64
  } -> tensor<13x37xf64>
  return %r : tensor<13x37xf64>
}
func.func @maxmin_f64(%a0: tensor<13x37xf64>, %a1: tensor<13x37xf64>) -> tensor<13x37xf64> {
  %e = tensor.empty() : tensor<13x37xf64>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xf64>, tensor<13x37xf64>) outs(%e : tensor<13x37xf64>) {
  ^bb0(%x0: f64, %x1: f64, %o: f64):
    %s = arith.maximumf %x0, %x1 : f64
    %m = arith.minimumf %s, %x0 : f64
    %n = arith.maxnumf %m, %x1 : f64
    %c = arith.cmpf olt, %n, %x0 : f64
    %y = arith.select %c, %n, %x1 : f64
    linalg.yield %y : f64
  } -> tensor<13x37xf64>
  return %r : tensor<13x37xf64>
}
func.func @to_i32_f64(%a0: tensor<13x37xf64>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf64>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: f64, %o: i32):
    %k = arith.constant 16.0 : f64
    %s = arith.mulf %x0, %k : f64
    %y = arith.fptosi %s : f64 to i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @negabs_f64(%a0: tensor<13x37xf64>) -> tensor<13x37xf64> {
  %e = tensor.empty() : tensor<13x37xf64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf64>) outs(%e : tensor<13x37xf64>) {
  ^bb0(%x0: f64, %o: f64):
    %n = arith.negf %x0 : f64
    %m = math.absf %n : f64
    %k = arith.constant 1.5 : f64
    %d = arith.divf %m, %k : f64
    %y = math.sqrt %d : f64
    linalg.yield %y : f64
  } -> tensor<13x37xf64>
  return %r : tensor<13x37xf64>
}
func.func @int_i1(%a0: tensor<13x37xi1>, %a1: tensor<13x37xi1>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi1>, tensor<13x37xi1>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i1, %x1: i1, %o: i1):
    %s = arith.addi %x0, %x1 : i1
    %m = arith.muli %s, %x0 : i1
    %t = arith.xori %m, %x1 : i1
    %u = arith.maxsi %t, %x0 : i1
    %y = arith.subi %u, %x1 : i1
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @cmp_i1(%a0: tensor<13x37xi1>, %a1: tensor<13x37xi1>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi1>, tensor<13x37xi1>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i1, %x1: i1, %o: i1):
    %y = arith.cmpi slt, %x0, %x1 : i1
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @tofloat_i1(%a0: tensor<13x37xi1>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi1>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i1, %o: f32):
    %y = arith.sitofp %x0 : i1 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @toufloat_i1(%a0: tensor<13x37xi1>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi1>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i1, %o: f32):
    %y = arith.uitofp %x0 : i1 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @extsi_i1(%a0: tensor<13x37xi1>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi1>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i1, %o: i64):
    %y = arith.extsi %x0 : i1 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @extui_i1(%a0: tensor<13x37xi1>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi1>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i1, %o: i64):
    %y = arith.extui %x0 : i1 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @trunc_i1(%a0: tensor<13x37xi64>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i64, %o: i1):
    %y = arith.trunci %x0 : i64 to i1
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @int_i2(%a0: tensor<13x37xi2>, %a1: tensor<13x37xi2>) -> tensor<13x37xi2> {
  %e = tensor.empty() : tensor<13x37xi2>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi2>, tensor<13x37xi2>) outs(%e : tensor<13x37xi2>) {
  ^bb0(%x0: i2, %x1: i2, %o: i2):
    %s = arith.addi %x0, %x1 : i2
    %m = arith.muli %s, %x0 : i2
    %t = arith.xori %m, %x1 : i2
    %u = arith.maxsi %t, %x0 : i2
    %y = arith.subi %u, %x1 : i2
    linalg.yield %y : i2
  } -> tensor<13x37xi2>
  return %r : tensor<13x37xi2>
}
func.func @cmp_i2(%a0: tensor<13x37xi2>, %a1: tensor<13x37xi2>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi2>, tensor<13x37xi2>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i2, %x1: i2, %o: i1):
    %y = arith.cmpi slt, %x0, %x1 : i2
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @tofloat_i2(%a0: tensor<13x37xi2>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi2>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i2, %o: f32):
    %y = arith.sitofp %x0 : i2 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @toufloat_i2(%a0: tensor<13x37xi2>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi2>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i2, %o: f32):
    %y = arith.uitofp %x0 : i2 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @extsi_i2(%a0: tensor<13x37xi2>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi2>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i2, %o: i64):
    %y = arith.extsi %x0 : i2 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @extui_i2(%a0: tensor<13x37xi2>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi2>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i2, %o: i64):
    %y = arith.extui %x0 : i2 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @trunc_i2(%a0: tensor<13x37xi64>) -> tensor<13x37xi2> {
  %e = tensor.empty() : tensor<13x37xi2>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi2>) {
  ^bb0(%x0: i64, %o: i2):
    %y = arith.trunci %x0 : i64 to i2
    linalg.yield %y : i2
  } -> tensor<13x37xi2>
  return %r : tensor<13x37xi2>
}
func.func @div_i2(%a0: tensor<13x37xi2>, %a1: tensor<13x37xi2>) -> tensor<13x37xi2> {
  %e = tensor.empty() : tensor<13x37xi2>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi2>, tensor<13x37xi2>) outs(%e : tensor<13x37xi2>) {
  ^bb0(%x0: i2, %x1: i2, %o: i2):
    %c = arith.constant 1 : i2
    %z = arith.constant 0 : i2
    %q = arith.cmpi eq, %x1, %z : i2
    %d = arith.select %q, %c, %x1 : i2
    %m1 = arith.constant -1 : i2
    %q2 = arith.cmpi eq, %d, %m1 : i2
    %d2 = arith.select %q2, %c, %d : i2
    %a = arith.ceildivsi %x0, %d2 : i2
    %b = arith.floordivsi %x0, %d2 : i2
    %e2 = arith.remsi %x0, %d2 : i2
    %f = arith.addi %a, %b : i2
    %y = arith.addi %f, %e2 : i2
    linalg.yield %y : i2
  } -> tensor<13x37xi2>
  return %r : tensor<13x37xi2>
}
func.func @shift_i2(%a0: tensor<13x37xi2>, %a1: tensor<13x37xi2>) -> tensor<13x37xi2> {
  %e = tensor.empty() : tensor<13x37xi2>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi2>, tensor<13x37xi2>) outs(%e : tensor<13x37xi2>) {
  ^bb0(%x0: i2, %x1: i2, %o: i2):
    %c = arith.constant 1 : i2
    %a = arith.shli %x0, %c : i2
    %b = arith.shrsi %x0, %c : i2
    %d = arith.shrui %x1, %c : i2
    %f = arith.xori %a, %b : i2
    %y = arith.ori %f, %d : i2
    linalg.yield %y : i2
  } -> tensor<13x37xi2>
  return %r : tensor<13x37xi2>
}
func.func @int_i3(%a0: tensor<13x37xi3>, %a1: tensor<13x37xi3>) -> tensor<13x37xi3> {
  %e = tensor.empty() : tensor<13x37xi3>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi3>, tensor<13x37xi3>) outs(%e : tensor<13x37xi3>) {
  ^bb0(%x0: i3, %x1: i3, %o: i3):
    %s = arith.addi %x0, %x1 : i3
    %m = arith.muli %s, %x0 : i3
    %t = arith.xori %m, %x1 : i3
    %u = arith.maxsi %t, %x0 : i3
    %y = arith.subi %u, %x1 : i3
    linalg.yield %y : i3
  } -> tensor<13x37xi3>
  return %r : tensor<13x37xi3>
}
func.func @cmp_i3(%a0: tensor<13x37xi3>, %a1: tensor<13x37xi3>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi3>, tensor<13x37xi3>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i3, %x1: i3, %o: i1):
    %y = arith.cmpi slt, %x0, %x1 : i3
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @tofloat_i3(%a0: tensor<13x37xi3>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi3>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i3, %o: f32):
    %y = arith.sitofp %x0 : i3 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @toufloat_i3(%a0: tensor<13x37xi3>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi3>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i3, %o: f32):
    %y = arith.uitofp %x0 : i3 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @extsi_i3(%a0: tensor<13x37xi3>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi3>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i3, %o: i64):
    %y = arith.extsi %x0 : i3 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @extui_i3(%a0: tensor<13x37xi3>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi3>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i3, %o: i64):
    %y = arith.extui %x0 : i3 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @trunc_i3(%a0: tensor<13x37xi64>) -> tensor<13x37xi3> {
  %e = tensor.empty() : tensor<13x37xi3>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi3>) {
  ^bb0(%x0: i64, %o: i3):
    %y = arith.trunci %x0 : i64 to i3
    linalg.yield %y : i3
  } -> tensor<13x37xi3>
  return %r : tensor<13x37xi3>
}
func.func @div_i3(%a0: tensor<13x37xi3>, %a1: tensor<13x37xi3>) -> tensor<13x37xi3> {
  %e = tensor.empty() : tensor<13x37xi3>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi3>, tensor<13x37xi3>) outs(%e : tensor<13x37xi3>) {
  ^bb0(%x0: i3, %x1: i3, %o: i3):
    %c = arith.constant 1 : i3
    %z = arith.constant 0 : i3
    %q = arith.cmpi eq, %x1, %z : i3
    %d = arith.select %q, %c, %x1 : i3
    %m1 = arith.constant -1 : i3
    %q2 = arith.cmpi eq, %d, %m1 : i3
    %d2 = arith.select %q2, %c, %d : i3
    %a = arith.ceildivsi %x0, %d2 : i3
    %b = arith.floordivsi %x0, %d2 : i3
    %e2 = arith.remsi %x0, %d2 : i3
    %f = arith.addi %a, %b : i3
    %y = arith.addi %f, %e2 : i3
    linalg.yield %y : i3
  } -> tensor<13x37xi3>
  return %r : tensor<13x37xi3>
}
func.func @shift_i3(%a0: tensor<13x37xi3>, %a1: tensor<13x37xi3>) -> tensor<13x37xi3> {
  %e = tensor.empty() : tensor<13x37xi3>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi3>, tensor<13x37xi3>) outs(%e : tensor<13x37xi3>) {
  ^bb0(%x0: i3, %x1: i3, %o: i3):
    %c = arith.constant 1 : i3
    %a = arith.shli %x0, %c : i3
    %b = arith.shrsi %x0, %c : i3
    %d = arith.shrui %x1, %c : i3
    %f = arith.xori %a, %b : i3
    %y = arith.ori %f, %d : i3
    linalg.yield %y : i3
  } -> tensor<13x37xi3>
  return %r : tensor<13x37xi3>
}
func.func @int_i4(%a0: tensor<13x37xi4>, %a1: tensor<13x37xi4>) -> tensor<13x37xi4> {
  %e = tensor.empty() : tensor<13x37xi4>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi4>, tensor<13x37xi4>) outs(%e : tensor<13x37xi4>) {
  ^bb0(%x0: i4, %x1: i4, %o: i4):
    %s = arith.addi %x0, %x1 : i4
    %m = arith.muli %s, %x0 : i4
    %t = arith.xori %m, %x1 : i4
    %u = arith.maxsi %t, %x0 : i4
    %y = arith.subi %u, %x1 : i4
    linalg.yield %y : i4
  } -> tensor<13x37xi4>
  return %r : tensor<13x37xi4>
}
func.func @cmp_i4(%a0: tensor<13x37xi4>, %a1: tensor<13x37xi4>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi4>, tensor<13x37xi4>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i4, %x1: i4, %o: i1):
    %y = arith.cmpi slt, %x0, %x1 : i4
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @tofloat_i4(%a0: tensor<13x37xi4>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi4>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i4, %o: f32):
    %y = arith.sitofp %x0 : i4 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @toufloat_i4(%a0: tensor<13x37xi4>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi4>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i4, %o: f32):
    %y = arith.uitofp %x0 : i4 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @extsi_i4(%a0: tensor<13x37xi4>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi4>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i4, %o: i64):
    %y = arith.extsi %x0 : i4 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @extui_i4(%a0: tensor<13x37xi4>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi4>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i4, %o: i64):
    %y = arith.extui %x0 : i4 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @trunc_i4(%a0: tensor<13x37xi64>) -> tensor<13x37xi4> {
  %e = tensor.empty() : tensor<13x37xi4>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi4>) {
  ^bb0(%x0: i64, %o: i4):
    %y = arith.trunci %x0 : i64 to i4
    linalg.yield %y : i4
  } -> tensor<13x37xi4>
  return %r : tensor<13x37xi4>
}
func.func @div_i4(%a0: tensor<13x37xi4>, %a1: tensor<13x37xi4>) -> tensor<13x37xi4> {
  %e = tensor.empty() : tensor<13x37xi4>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi4>, tensor<13x37xi4>) outs(%e : tensor<13x37xi4>) {
  ^bb0(%x0: i4, %x1: i4, %o: i4):
    %c = arith.constant 1 : i4
    %z = arith.constant 0 : i4
    %q = arith.cmpi eq, %x1, %z : i4
    %d = arith.select %q, %c, %x1 : i4
    %m1 = arith.constant -1 : i4
    %q2 = arith.cmpi eq, %d, %m1 : i4
    %d2 = arith.select %q2, %c, %d : i4
    %a = arith.ceildivsi %x0, %d2 : i4
    %b = arith.floordivsi %x0, %d2 : i4
    %e2 = arith.remsi %x0, %d2 : i4
    %f = arith.addi %a, %b : i4
    %y = arith.addi %f, %e2 : i4
    linalg.yield %y : i4
  } -> tensor<13x37xi4>
  return %r : tensor<13x37xi4>
}
func.func @shift_i4(%a0: tensor<13x37xi4>, %a1: tensor<13x37xi4>) -> tensor<13x37xi4> {
  %e = tensor.empty() : tensor<13x37xi4>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi4>, tensor<13x37xi4>) outs(%e : tensor<13x37xi4>) {
  ^bb0(%x0: i4, %x1: i4, %o: i4):
    %c = arith.constant 1 : i4
    %a = arith.shli %x0, %c : i4
    %b = arith.shrsi %x0, %c : i4
    %d = arith.shrui %x1, %c : i4
    %f = arith.xori %a, %b : i4
    %y = arith.ori %f, %d : i4
    linalg.yield %y : i4
  } -> tensor<13x37xi4>
  return %r : tensor<13x37xi4>
}
func.func @int_i8(%a0: tensor<13x37xi8>, %a1: tensor<13x37xi8>) -> tensor<13x37xi8> {
  %e = tensor.empty() : tensor<13x37xi8>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi8>, tensor<13x37xi8>) outs(%e : tensor<13x37xi8>) {
  ^bb0(%x0: i8, %x1: i8, %o: i8):
    %s = arith.addi %x0, %x1 : i8
    %m = arith.muli %s, %x0 : i8
    %t = arith.xori %m, %x1 : i8
    %u = arith.maxsi %t, %x0 : i8
    %y = arith.subi %u, %x1 : i8
    linalg.yield %y : i8
  } -> tensor<13x37xi8>
  return %r : tensor<13x37xi8>
}
func.func @cmp_i8(%a0: tensor<13x37xi8>, %a1: tensor<13x37xi8>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi8>, tensor<13x37xi8>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i8, %x1: i8, %o: i1):
    %y = arith.cmpi slt, %x0, %x1 : i8
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @tofloat_i8(%a0: tensor<13x37xi8>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi8>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i8, %o: f32):
    %y = arith.sitofp %x0 : i8 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @toufloat_i8(%a0: tensor<13x37xi8>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi8>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i8, %o: f32):
    %y = arith.uitofp %x0 : i8 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @extsi_i8(%a0: tensor<13x37xi8>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi8>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i8, %o: i64):
    %y = arith.extsi %x0 : i8 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @extui_i8(%a0: tensor<13x37xi8>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi8>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i8, %o: i64):
    %y = arith.extui %x0 : i8 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @trunc_i8(%a0: tensor<13x37xi64>) -> tensor<13x37xi8> {
  %e = tensor.empty() : tensor<13x37xi8>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi8>) {
  ^bb0(%x0: i64, %o: i8):
    %y = arith.trunci %x0 : i64 to i8
    linalg.yield %y : i8
  } -> tensor<13x37xi8>
  return %r : tensor<13x37xi8>
}
func.func @div_i8(%a0: tensor<13x37xi8>, %a1: tensor<13x37xi8>) -> tensor<13x37xi8> {
  %e = tensor.empty() : tensor<13x37xi8>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi8>, tensor<13x37xi8>) outs(%e : tensor<13x37xi8>) {
  ^bb0(%x0: i8, %x1: i8, %o: i8):
    %c = arith.constant 1 : i8
    %z = arith.constant 0 : i8
    %q = arith.cmpi eq, %x1, %z : i8
    %d = arith.select %q, %c, %x1 : i8
    %m1 = arith.constant -1 : i8
    %q2 = arith.cmpi eq, %d, %m1 : i8
    %d2 = arith.select %q2, %c, %d : i8
    %a = arith.ceildivsi %x0, %d2 : i8
    %b = arith.floordivsi %x0, %d2 : i8
    %e2 = arith.remsi %x0, %d2 : i8
    %f = arith.addi %a, %b : i8
    %y = arith.addi %f, %e2 : i8
    linalg.yield %y : i8
  } -> tensor<13x37xi8>
  return %r : tensor<13x37xi8>
}
func.func @shift_i8(%a0: tensor<13x37xi8>, %a1: tensor<13x37xi8>) -> tensor<13x37xi8> {
  %e = tensor.empty() : tensor<13x37xi8>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi8>, tensor<13x37xi8>) outs(%e : tensor<13x37xi8>) {
  ^bb0(%x0: i8, %x1: i8, %o: i8):
    %c = arith.constant 1 : i8
    %a = arith.shli %x0, %c : i8
    %b = arith.shrsi %x0, %c : i8
    %d = arith.shrui %x1, %c : i8
    %f = arith.xori %a, %b : i8
    %y = arith.ori %f, %d : i8
    linalg.yield %y : i8
  } -> tensor<13x37xi8>
  return %r : tensor<13x37xi8>
}
func.func @int_i16(%a0: tensor<13x37xi16>, %a1: tensor<13x37xi16>) -> tensor<13x37xi16> {
  %e = tensor.empty() : tensor<13x37xi16>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi16>, tensor<13x37xi16>) outs(%e : tensor<13x37xi16>) {
  ^bb0(%x0: i16, %x1: i16, %o: i16):
    %s = arith.addi %x0, %x1 : i16
    %m = arith.muli %s, %x0 : i16
    %t = arith.xori %m, %x1 : i16
    %u = arith.maxsi %t, %x0 : i16
    %y = arith.subi %u, %x1 : i16
    linalg.yield %y : i16
  } -> tensor<13x37xi16>
  return %r : tensor<13x37xi16>
}
func.func @cmp_i16(%a0: tensor<13x37xi16>, %a1: tensor<13x37xi16>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi16>, tensor<13x37xi16>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i16, %x1: i16, %o: i1):
    %y = arith.cmpi slt, %x0, %x1 : i16
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @tofloat_i16(%a0: tensor<13x37xi16>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi16>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i16, %o: f32):
    %y = arith.sitofp %x0 : i16 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @toufloat_i16(%a0: tensor<13x37xi16>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi16>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i16, %o: f32):
    %y = arith.uitofp %x0 : i16 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @extsi_i16(%a0: tensor<13x37xi16>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi16>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i16, %o: i64):
    %y = arith.extsi %x0 : i16 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @extui_i16(%a0: tensor<13x37xi16>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi16>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i16, %o: i64):
    %y = arith.extui %x0 : i16 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @trunc_i16(%a0: tensor<13x37xi64>) -> tensor<13x37xi16> {
  %e = tensor.empty() : tensor<13x37xi16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi16>) {
  ^bb0(%x0: i64, %o: i16):
    %y = arith.trunci %x0 : i64 to i16
    linalg.yield %y : i16
  } -> tensor<13x37xi16>
  return %r : tensor<13x37xi16>
}
func.func @div_i16(%a0: tensor<13x37xi16>, %a1: tensor<13x37xi16>) -> tensor<13x37xi16> {
  %e = tensor.empty() : tensor<13x37xi16>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi16>, tensor<13x37xi16>) outs(%e : tensor<13x37xi16>) {
  ^bb0(%x0: i16, %x1: i16, %o: i16):
    %c = arith.constant 1 : i16
    %z = arith.constant 0 : i16
    %q = arith.cmpi eq, %x1, %z : i16
    %d = arith.select %q, %c, %x1 : i16
    %m1 = arith.constant -1 : i16
    %q2 = arith.cmpi eq, %d, %m1 : i16
    %d2 = arith.select %q2, %c, %d : i16
    %a = arith.ceildivsi %x0, %d2 : i16
    %b = arith.floordivsi %x0, %d2 : i16
    %e2 = arith.remsi %x0, %d2 : i16
    %f = arith.addi %a, %b : i16
    %y = arith.addi %f, %e2 : i16
    linalg.yield %y : i16
  } -> tensor<13x37xi16>
  return %r : tensor<13x37xi16>
}
func.func @shift_i16(%a0: tensor<13x37xi16>, %a1: tensor<13x37xi16>) -> tensor<13x37xi16> {
  %e = tensor.empty() : tensor<13x37xi16>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi16>, tensor<13x37xi16>) outs(%e : tensor<13x37xi16>) {
  ^bb0(%x0: i16, %x1: i16, %o: i16):
    %c = arith.constant 1 : i16
    %a = arith.shli %x0, %c : i16
    %b = arith.shrsi %x0, %c : i16
    %d = arith.shrui %x1, %c : i16
    %f = arith.xori %a, %b : i16
    %y = arith.ori %f, %d : i16
    linalg.yield %y : i16
  } -> tensor<13x37xi16>
  return %r : tensor<13x37xi16>
}
func.func @int_i24(%a0: tensor<13x37xi24>, %a1: tensor<13x37xi24>) -> tensor<13x37xi24> {
  %e = tensor.empty() : tensor<13x37xi24>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi24>, tensor<13x37xi24>) outs(%e : tensor<13x37xi24>) {
  ^bb0(%x0: i24, %x1: i24, %o: i24):
    %s = arith.addi %x0, %x1 : i24
    %m = arith.muli %s, %x0 : i24
    %t = arith.xori %m, %x1 : i24
    %u = arith.maxsi %t, %x0 : i24
    %y = arith.subi %u, %x1 : i24
    linalg.yield %y : i24
  } -> tensor<13x37xi24>
  return %r : tensor<13x37xi24>
}
func.func @cmp_i24(%a0: tensor<13x37xi24>, %a1: tensor<13x37xi24>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi24>, tensor<13x37xi24>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i24, %x1: i24, %o: i1):
    %y = arith.cmpi slt, %x0, %x1 : i24
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @tofloat_i24(%a0: tensor<13x37xi24>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi24>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i24, %o: f32):
    %y = arith.sitofp %x0 : i24 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @toufloat_i24(%a0: tensor<13x37xi24>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi24>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i24, %o: f32):
    %y = arith.uitofp %x0 : i24 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @extsi_i24(%a0: tensor<13x37xi24>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi24>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i24, %o: i64):
    %y = arith.extsi %x0 : i24 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @extui_i24(%a0: tensor<13x37xi24>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi24>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i24, %o: i64):
    %y = arith.extui %x0 : i24 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @trunc_i24(%a0: tensor<13x37xi64>) -> tensor<13x37xi24> {
  %e = tensor.empty() : tensor<13x37xi24>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi24>) {
  ^bb0(%x0: i64, %o: i24):
    %y = arith.trunci %x0 : i64 to i24
    linalg.yield %y : i24
  } -> tensor<13x37xi24>
  return %r : tensor<13x37xi24>
}
func.func @div_i24(%a0: tensor<13x37xi24>, %a1: tensor<13x37xi24>) -> tensor<13x37xi24> {
  %e = tensor.empty() : tensor<13x37xi24>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi24>, tensor<13x37xi24>) outs(%e : tensor<13x37xi24>) {
  ^bb0(%x0: i24, %x1: i24, %o: i24):
    %c = arith.constant 1 : i24
    %z = arith.constant 0 : i24
    %q = arith.cmpi eq, %x1, %z : i24
    %d = arith.select %q, %c, %x1 : i24
    %m1 = arith.constant -1 : i24
    %q2 = arith.cmpi eq, %d, %m1 : i24
    %d2 = arith.select %q2, %c, %d : i24
    %a = arith.ceildivsi %x0, %d2 : i24
    %b = arith.floordivsi %x0, %d2 : i24
    %e2 = arith.remsi %x0, %d2 : i24
    %f = arith.addi %a, %b : i24
    %y = arith.addi %f, %e2 : i24
    linalg.yield %y : i24
  } -> tensor<13x37xi24>
  return %r : tensor<13x37xi24>
}
func.func @shift_i24(%a0: tensor<13x37xi24>, %a1: tensor<13x37xi24>) -> tensor<13x37xi24> {
  %e = tensor.empty() : tensor<13x37xi24>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi24>, tensor<13x37xi24>) outs(%e : tensor<13x37xi24>) {
  ^bb0(%x0: i24, %x1: i24, %o: i24):
    %c = arith.constant 1 : i24
    %a = arith.shli %x0, %c : i24
    %b = arith.shrsi %x0, %c : i24
    %d = arith.shrui %x1, %c : i24
    %f = arith.xori %a, %b : i24
    %y = arith.ori %f, %d : i24
    linalg.yield %y : i24
  } -> tensor<13x37xi24>
  return %r : tensor<13x37xi24>
}
func.func @int_i32(%a0: tensor<13x37xi32>, %a1: tensor<13x37xi32>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi32>, tensor<13x37xi32>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: i32, %x1: i32, %o: i32):
    %s = arith.addi %x0, %x1 : i32
    %m = arith.muli %s, %x0 : i32
    %t = arith.xori %m, %x1 : i32
    %u = arith.maxsi %t, %x0 : i32
    %y = arith.subi %u, %x1 : i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @cmp_i32(%a0: tensor<13x37xi32>, %a1: tensor<13x37xi32>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi32>, tensor<13x37xi32>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i32, %x1: i32, %o: i1):
    %y = arith.cmpi slt, %x0, %x1 : i32
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @tofloat_i32(%a0: tensor<13x37xi32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i32, %o: f32):
    %y = arith.sitofp %x0 : i32 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @toufloat_i32(%a0: tensor<13x37xi32>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi32>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i32, %o: f32):
    %y = arith.uitofp %x0 : i32 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @extsi_i32(%a0: tensor<13x37xi32>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi32>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i32, %o: i64):
    %y = arith.extsi %x0 : i32 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @extui_i32(%a0: tensor<13x37xi32>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi32>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i32, %o: i64):
    %y = arith.extui %x0 : i32 to i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @trunc_i32(%a0: tensor<13x37xi64>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: i64, %o: i32):
    %y = arith.trunci %x0 : i64 to i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @div_i32(%a0: tensor<13x37xi32>, %a1: tensor<13x37xi32>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi32>, tensor<13x37xi32>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: i32, %x1: i32, %o: i32):
    %c = arith.constant 1 : i32
    %z = arith.constant 0 : i32
    %q = arith.cmpi eq, %x1, %z : i32
    %d = arith.select %q, %c, %x1 : i32
    %m1 = arith.constant -1 : i32
    %q2 = arith.cmpi eq, %d, %m1 : i32
    %d2 = arith.select %q2, %c, %d : i32
    %a = arith.ceildivsi %x0, %d2 : i32
    %b = arith.floordivsi %x0, %d2 : i32
    %e2 = arith.remsi %x0, %d2 : i32
    %f = arith.addi %a, %b : i32
    %y = arith.addi %f, %e2 : i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @shift_i32(%a0: tensor<13x37xi32>, %a1: tensor<13x37xi32>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi32>, tensor<13x37xi32>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: i32, %x1: i32, %o: i32):
    %c = arith.constant 1 : i32
    %a = arith.shli %x0, %c : i32
    %b = arith.shrsi %x0, %c : i32
    %d = arith.shrui %x1, %c : i32
    %f = arith.xori %a, %b : i32
    %y = arith.ori %f, %d : i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @int_i64(%a0: tensor<13x37xi64>, %a1: tensor<13x37xi64>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi64>, tensor<13x37xi64>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i64, %x1: i64, %o: i64):
    %s = arith.addi %x0, %x1 : i64
    %m = arith.muli %s, %x0 : i64
    %t = arith.xori %m, %x1 : i64
    %u = arith.maxsi %t, %x0 : i64
    %y = arith.subi %u, %x1 : i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @cmp_i64(%a0: tensor<13x37xi64>, %a1: tensor<13x37xi64>) -> tensor<13x37xi1> {
  %e = tensor.empty() : tensor<13x37xi1>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi64>, tensor<13x37xi64>) outs(%e : tensor<13x37xi1>) {
  ^bb0(%x0: i64, %x1: i64, %o: i1):
    %y = arith.cmpi slt, %x0, %x1 : i64
    linalg.yield %y : i1
  } -> tensor<13x37xi1>
  return %r : tensor<13x37xi1>
}
func.func @tofloat_i64(%a0: tensor<13x37xi64>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i64, %o: f32):
    %y = arith.sitofp %x0 : i64 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @toufloat_i64(%a0: tensor<13x37xi64>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xi64>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i64, %o: f32):
    %y = arith.uitofp %x0 : i64 to f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}
func.func @div_i64(%a0: tensor<13x37xi64>, %a1: tensor<13x37xi64>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi64>, tensor<13x37xi64>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i64, %x1: i64, %o: i64):
    %c = arith.constant 1 : i64
    %z = arith.constant 0 : i64
    %q = arith.cmpi eq, %x1, %z : i64
    %d = arith.select %q, %c, %x1 : i64
    %m1 = arith.constant -1 : i64
    %q2 = arith.cmpi eq, %d, %m1 : i64
    %d2 = arith.select %q2, %c, %d : i64
    %a = arith.ceildivsi %x0, %d2 : i64
    %b = arith.floordivsi %x0, %d2 : i64
    %e2 = arith.remsi %x0, %d2 : i64
    %f = arith.addi %a, %b : i64
    %y = arith.addi %f, %e2 : i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @shift_i64(%a0: tensor<13x37xi64>, %a1: tensor<13x37xi64>) -> tensor<13x37xi64> {
  %e = tensor.empty() : tensor<13x37xi64>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi64>, tensor<13x37xi64>) outs(%e : tensor<13x37xi64>) {
  ^bb0(%x0: i64, %x1: i64, %o: i64):
    %c = arith.constant 1 : i64
    %a = arith.shli %x0, %c : i64
    %b = arith.shrsi %x0, %c : i64
    %d = arith.shrui %x1, %c : i64
    %f = arith.xori %a, %b : i64
    %y = arith.ori %f, %d : i64
    linalg.yield %y : i64
  } -> tensor<13x37xi64>
  return %r : tensor<13x37xi64>
}
func.func @index_type(%a0: tensor<13x37xindex>, %a1: tensor<13x37xindex>) -> tensor<13x37xindex> {
  %e = tensor.empty() : tensor<13x37xindex>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xindex>, tensor<13x37xindex>) outs(%e : tensor<13x37xindex>) {
  ^bb0(%x0: index, %x1: index, %o: index):
    %y = arith.addi %x0, %x1 : index
    linalg.yield %y : index
  } -> tensor<13x37xindex>
  return %r : tensor<13x37xindex>
}
func.func @index_to_i32(%a0: tensor<13x37xindex>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xindex>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: index, %o: i32):
    %y = arith.index_cast %x0 : index to i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @trunc_f32_bf16(%a0: tensor<13x37xf32>) -> tensor<13x37xbf16> {
  %e = tensor.empty() : tensor<13x37xbf16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xbf16>) {
  ^bb0(%x0: f32, %o: bf16):
    %k = arith.constant 1.00390625 : f32
    %s = arith.mulf %x0, %k : f32
    %y = arith.truncf %s : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<13x37xbf16>
  return %r : tensor<13x37xbf16>
}
func.func @ext_f16_f64(%a0: tensor<13x37xf16>) -> tensor<13x37xf64> {
  %e = tensor.empty() : tensor<13x37xf64>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf16>) outs(%e : tensor<13x37xf64>) {
  ^bb0(%x0: f16, %o: f64):
    %y = arith.extf %x0 : f16 to f64
    linalg.yield %y : f64
  } -> tensor<13x37xf64>
  return %r : tensor<13x37xf64>
}
func.func @bitcast_f32(%a0: tensor<13x37xf32>) -> tensor<13x37xi32> {
  %e = tensor.empty() : tensor<13x37xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xf32>) outs(%e : tensor<13x37xi32>) {
  ^bb0(%x0: f32, %o: i32):
    %y = arith.bitcast %x0 : f32 to i32
    linalg.yield %y : i32
  } -> tensor<13x37xi32>
  return %r : tensor<13x37xi32>
}
func.func @bitcast_bf16(%a0: tensor<13x37xbf16>) -> tensor<13x37xi16> {
  %e = tensor.empty() : tensor<13x37xi16>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : tensor<13x37xbf16>) outs(%e : tensor<13x37xi16>) {
  ^bb0(%x0: bf16, %o: i16):
    %y = arith.bitcast %x0 : bf16 to i16
    linalg.yield %y : i16
  } -> tensor<13x37xi16>
  return %r : tensor<13x37xi16>
}
func.func @select_i1(%a0: tensor<13x37xi1>, %a1: tensor<13x37xi1>) -> tensor<13x37xf32> {
  %e = tensor.empty() : tensor<13x37xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : tensor<13x37xi1>, tensor<13x37xi1>) outs(%e : tensor<13x37xf32>) {
  ^bb0(%x0: i1, %x1: i1, %o: f32):
    %a = arith.andi %x0, %x1 : i1
    %k = arith.constant 2.0 : f32
    %z = arith.constant 3.0 : f32
    %y = arith.select %a, %k, %z : f32
    linalg.yield %y : f32
  } -> tensor<13x37xf32>
  return %r : tensor<13x37xf32>
}

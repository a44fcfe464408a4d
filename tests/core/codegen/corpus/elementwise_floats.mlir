// Elementwise ops on floats, indices and masks, and between types.
#id2 = affine_map<(d0, d1) -> (d0, d1)>

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

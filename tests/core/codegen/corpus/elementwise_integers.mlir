// Elementwise ops on integers of 16 to 64 bits.
#id2 = affine_map<(d0, d1) -> (d0, d1)>

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

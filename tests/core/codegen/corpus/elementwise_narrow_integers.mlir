// Elementwise ops on integers of 2 to 8 bits.
#id2 = affine_map<(d0, d1) -> (d0, d1)>

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

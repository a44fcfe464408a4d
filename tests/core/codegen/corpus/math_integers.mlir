// Math functions of integers.
#id2 = affine_map<(d0, d1) -> (d0, d1)>

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

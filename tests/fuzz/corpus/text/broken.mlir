func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a %a : i32
  %1 = arith.frobnicate %0, <<< ( ] : i32
  %2 = my.dialect.op(%1) ({ ^bb0(%x: i32): my.yield %x }) [ 1, 2, "x" ] : i32
  return %2 : i32
}
// -----
func.func @f() { return }
func.func @f() { return }
// -----

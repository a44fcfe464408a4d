// Functions that call each other.
func.func private @callee(%a: i32, %b: i64) -> (i32, i64) {
  return %a, %b : i32, i64
}
func.func private @same(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  return
}
func.func @caller(%a: i32, %b: i64, %m: memref<4xf32>) -> (i32, i64) {
  %r:2 = func.call @callee(%a, %b) : (i32, i64) -> (i32, i64)
  func.call @same(%m, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  return %r#0, %r#1 : i32, i64
}
func.func private @doubled(%x: i32) -> i32
func.func @sum(%a: i32) -> i32 {
  %s = arith.addi %a, %a : i32
  %t = arith.muli %s, %s : i32
  return %t : i32
}

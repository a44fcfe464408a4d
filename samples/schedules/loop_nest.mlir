// Two loops with something between them: what can be computed once, and an order that walks down the columns. The
// example of the talk "Driving MLIR Compilation from Python"; samples/schedules/interchange.mlir is for it.
func.func private @use(f32, index)

func.func @nest(%values: memref<4096x4096xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  scf.for %j = %c0 to %c4096 step %c1 {
    %hoistable = arith.muli %n, %n : index
    scf.for %i = %c0 to %c4096 step %c1 {
      %res = memref.load %values[%i, %j] : memref<4096x4096xf32>
      func.call @use(%res, %hoistable) : (f32, index) -> ()
    }
  }
  return
}

// The payload of the talk "Driving MLIR Compilation from Python": two nests of loops, each with something between the
// loops that can be computed once. samples/schedules/interchange_and_tile.mlir is for it.
func.func private @use(f32, index)

func.func @load_nest(%values: memref<4096x4096xf32>, %n: index) {
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

func.func @linalg_nest(%values: memref<64x64xf32>, %results: memref<64x64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2048 = arith.constant 2048 : index
  scf.for %j = %c0 to %c2048 step %c1 {
    %hoistable = arith.mulf %x, %x : f32
    scf.for %i = %c0 to %c2048 step %c1 {
      linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                      iterator_types = ["parallel", "parallel"]}
          ins(%values : memref<64x64xf32>) outs(%results : memref<64x64xf32>) {
      ^bb0(%value: f32, %result: f32):
        %scaled = arith.mulf %value, %hoistable : f32
        linalg.yield %scaled : f32
      }
    }
  }
  return
}

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#loc = loc("kernel.py":1:0)
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func public @add(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("kernel.py":1:0), %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %cst = arith.constant dense<0.0> : tensor<128xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %3 = tt.splat %1 : i32 -> tensor<128xi32, #blocked>
    %4 = arith.addi %3, %2 : tensor<128xi32, #blocked>
    %5 = tt.splat %n : i32 -> tensor<128xi32, #blocked>
    %6 = arith.cmpi slt, %4, %5 : tensor<128xi32, #blocked>
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %8 = tt.addptr %7, %4 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %9 = tt.load %8, %6, %cst : tensor<128x!tt.ptr<f32>, #blocked>
    %10 = arith.addf %9, %cst : tensor<128xf32, #blocked>
    %11 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %10) -> (tensor<128xf32, #blocked>) : i32 {
      %13 = arith.addf %acc, %9 : tensor<128xf32, #blocked>
      scf.yield %13 : tensor<128xf32, #blocked>
    }
    %12 = "tt.reduce"(%11) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %14 = arith.addf %a, %b : f32
      tt.reduce.return %14 : f32
    }) : (tensor<128xf32, #blocked>) -> f32
    tt.store %arg1, %12 : !tt.ptr<f32>
    tt.store %8, %11, %6 {cache = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
    %15 = tt.load %arg1 : !tt.ptr<f32>
    %16 = arith.addf %15, %12 : f32
    %17 = tt.expand_dims %9 {axis = 1 : i32} : tensor<128xf32, #blocked> -> tensor<128x1xf32>
    tt.print "x: " {hex = false} : %9 : tensor<128xf32, #blocked>
    tt.return
  }
}

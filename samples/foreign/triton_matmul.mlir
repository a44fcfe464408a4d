// A blocked matrix product with a bias row, as Triton's front end writes it.

module {
  tt.func public @matmul_bias(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %bias: !tt.ptr<f32>, %c: !tt.ptr<f32>, %k: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %step = arith.constant dense<32> : tensor<64x32xi32>
    %step_b = arith.constant dense<32> : tensor<32x64xi32>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %pid_m = tt.get_program_id x : i32
    %pid_n = tt.get_program_id y : i32
    %m0 = arith.muli %pid_m, %c64 : i32
    %n0 = arith.muli %pid_n, %c64 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %m_splat = tt.splat %m0 : i32 -> tensor<64xi32>
    %m = arith.addi %m_splat, %range : tensor<64xi32>
    %m_column = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %m_tile = tt.broadcast %m_column : tensor<64x1xi32> -> tensor<64x32xi32>
    %n_splat = tt.splat %n0 : i32 -> tensor<64xi32>
    %n = arith.addi %n_splat, %range : tensor<64xi32>
    %n_row = tt.expand_dims %n {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %n_tile = tt.broadcast %n_row : tensor<1x64xi32> -> tensor<32x64xi32>
    %a_base = tt.splat %a : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %a_start = tt.addptr %a_base, %m_tile : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %b_base = tt.splat %b : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %b_start = tt.addptr %b_base, %n_tile : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %loop:3 = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %zero, %a_at = %a_start, %b_at = %b_start) -> (tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>)  : i32 {
      %a_tile = tt.load %a_at : tensor<64x32x!tt.ptr<f16>>
      %b_tile = tt.load %b_at : tensor<32x64x!tt.ptr<f16>>
      %product = tt.dot %a_tile, %b_tile, %acc, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %a_next = tt.addptr %a_at, %step : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %b_next = tt.addptr %b_at, %step_b : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %product, %a_next, %b_next : tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>
    }
    %bias_base = tt.splat %bias : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %bias_at = tt.addptr %bias_base, %n : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %bias_row = tt.load %bias_at : tensor<64x!tt.ptr<f32>>
    %bias_wide = tt.expand_dims %bias_row {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %bias_tile = tt.broadcast %bias_wide : tensor<1x64xf32> -> tensor<64x64xf32>
    %sum = arith.addf %loop#0, %bias_tile : tensor<64x64xf32>
    %c_base = tt.splat %c : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    tt.store %c_base, %sum : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}

// Triton and its GPU dialects: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: tt.func public @matmul(
// CHECK: ttng.warp_group_dot %

#loc = loc("kernel.py":12:0)
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#linear = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0]], warp = [[32, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @matmul(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32} loc("kernel.py":12:0), %desc: !tt.tensordesc<tensor<128x64xf16, #shared>>, %n: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %true = arith.constant true
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %pid = tt.get_program_id x : i32
    %np = tt.get_num_programs y : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %exp = tt.expand_dims %range {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %bc = tt.broadcast %exp : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %sp = tt.splat %a : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %ptrs = tt.addptr %sp, %bc : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %ld = tt.load %ptrs : tensor<128x64x!tt.ptr<f16>, #blocked>
    %mask = arith.constant dense<true> : tensor<128x64xi1, #blocked>
    %ld2 = tt.load %ptrs, %mask, %ld cacheModifier = ca evictionPolicy = evict_last {isVolatile = true} : tensor<128x64x!tt.ptr<f16>, #blocked>
    %alloc = ttg.local_alloc %ld : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %buf = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
    %bars = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %view = ttg.memdesc_index %buf[%c0_i32] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %tok = ttg.async_copy_global_to_local %ptrs, %view mask %mask : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %tok2 = ttg.async_commit_group tokens %tok
    %tok3 = ttg.async_wait %tok2 {num = 0 : i32}
    ttng.init_barrier %bars, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.barrier_expect %bars, 16384, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %desc[%c0_i32, %n] %view, %bars, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %bars, %c0_i32 deps %view : !ttg.memdesc<1xi64, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %tr = ttg.memdesc_trans %view {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %dot = ttng.warp_group_dot %alloc, %tr, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
    %w:2 = ttng.warp_group_dot_wait %dot, %alloc {pendings = 1 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem>
    %x = ttg.local_load %alloc token %tok3 : !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %y = ttg.local_load %tr : !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %d2 = tt.dot %x, %y, %cst, inputPrecision = tf32 : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #mma>
    %cvt = ttg.convert_layout %w#0 : tensor<128x128xf32, #mma> -> tensor<128x128xf32, #linear>
    %red = "tt.reduce"(%cvt) <{axis = 1 : i32}> ({
    ^bb0(%l: f32, %r: f32):
      %add = arith.addf %l, %r : f32
      tt.reduce.return %add : f32
    }) : (tensor<128x128xf32, #linear>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #linear}>>
    ttg.warp_specialize(%n, %bars) attributes {requestedRegisters = array<i32: 24>}
    default {
      ttg.warp_yield
    }
    partition0(%arg: i32, %bar: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) num_warps(2) {
      ttg.warp_return
    }
    partition1(%arg: i32, %bar: !ttg.memdesc<1xi64, #shared1, #smem, mutable>) num_warps(1) {
      ttg.warp_return
    } : (i32, !ttg.memdesc<1xi64, #shared1, #smem, mutable>) -> ()
    %s = arith.extsi %n : i32 to i64
    %s1 = arith.constant 1 : i64
    %desc2 = tt.make_tensor_descriptor %a, [%n, %n], [%s, %s1] : !tt.ptr<f16>, !tt.tensordesc<tensor<128x64xf16, #shared>>
    tt.descriptor_store %desc2[%c0_i32, %n], %ld : !tt.tensordesc<tensor<128x64xf16, #shared>>, tensor<128x64xf16, #blocked>
    tt.print " x: " {hex = false, isSigned = array<i32: 0>} : %n : i32
    tt.assert %mask, "oob" : tensor<128x64xi1, #blocked>
    %at = tt.atomic_rmw fadd, acq_rel, gpu, %ptrs, %ld, %mask : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xf16, #blocked>, tensor<128x64xi1, #blocked>) -> tensor<128x64xf16, #blocked>
    tt.store %ptrs, %at, %mask : tensor<128x64x!tt.ptr<f16>, #blocked>
    %ext = tt.extern_elementwise %ld {libname = "", libpath = "", pure = true, symbol = "__nv_expf"} : (tensor<128x64xf16, #blocked>) -> tensor<128x64xf16, #blocked>
    %asm:2 = tt.elementwise_inline_asm "shl.b32 $0, $2, 1;" {constraints = "=r,=r,r", packed_element = 1 : i32, pure = true} %ld : tensor<128x64xf16, #blocked> -> tensor<128x64xi16, #blocked>, tensor<128x64xi16, #blocked>
    %called = tt.call @helper(%n) : (i32) -> i32
    tt.return
  } loc(#loc)
  tt.func private @helper(%n: i32) -> i32 {
    tt.return %n : i32
  }
}

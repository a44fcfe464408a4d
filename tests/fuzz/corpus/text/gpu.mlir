gpu.module @m {
  gpu.func @k(%a: memref<32xf32, #gpu.address_space<workgroup>>) workgroup(%w: memref<4xf32, 3>) kernel {
    %id = gpu.thread_id x
    gpu.barrier
    gpu.return
  }
}
llvm.func @l(%p: !llvm.ptr<1>, %s: !llvm.struct<"x", (i32, ptr)>) -> i64 {
  %c = llvm.mlir.constant(42 : i64) : i64
  llvm.return %c : i64
}
spirv.module Logical GLSL450 requires #spirv.vce<v1.0, [Shader], []> { spirv.func @s() "None" { spirv.Return } }

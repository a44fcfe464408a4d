!t = !npu.tile<16x16, "sram">
#cfg = #npu.config<banks = 4, swizzle = [0, 1]>
npu.kernel @k<%n: index>(%a: !t, %b: !t) -> (!t, !npu.token) where {n >= 16} {
  npu.loop %i = 0 to %n step 4 iter(%acc = %a : !t) {
    %x, %tok = npu.mma[%i, 3] %acc, %b using #cfg -> !t, !npu.token
    npu.wait %tok, ^done
  ^done:
    npu.next %x : !t
  } -> !t
  npu.ret loc("file.py":3:4)
} loc(fused["a", callsite("b" at "c":1:2)])

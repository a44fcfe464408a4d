#a = loc("src/model.c":10:3)
#b = loc("src/model.c":20:7)
#called = loc("src/lib.c":5:1)
func.func @caller(%x: f32) -> f32 {
  %add = arith.addf %x, %x : f32 loc(#a)
  %mul = arith.mulf %add, %x : f32 loc("named"(#b))
  %sub = arith.subf %mul, %x : f32 loc(fused[#called, unknown])
  %div = arith.divf %sub, %x : f32 loc(callsite("deep"("src/lib.c":8:2) at "src/model.c":30:1))
  return %div : f32
}

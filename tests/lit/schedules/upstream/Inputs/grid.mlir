// Parallel loops that say where of a GPU they run.
func.func @f(%a: memref<32x64xf32>, %b: memref<32x64xf32>) {
  scf.forall (%i, %j) in (4, 8) {
    scf.forall (%k, %l) in (8, 8) {
      %r = affine.apply affine_map<(i, k) -> (i * 8 + k)>(%i, %k)
      %c = affine.apply affine_map<(j, l) -> (j * 8 + l)>(%j, %l)
      %x = memref.load %a[%r, %c] : memref<32x64xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %b[%r, %c] : memref<32x64xf32>
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}
func.func @copy(%t: tensor<128x64xf32>, %o: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %c = linalg.copy ins(%t : tensor<128x64xf32>) outs(%o : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %c : tensor<128x64xf32>
}

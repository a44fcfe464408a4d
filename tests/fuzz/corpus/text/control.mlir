func.func @loop(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xf32>
    %p = arith.cmpf olt, %v, %v : f32
    scf.if %p { memref.store %v, %m[%c0] : memref<?xf32> } else { }
  }
  cf.br ^next(%c0 : index)
^next(%k: index):
  affine.for %j = 0 to 10 { %w = affine.load %m[%j] : memref<?xf32> }
  return
}

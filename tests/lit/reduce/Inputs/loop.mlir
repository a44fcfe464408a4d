func.func private @helper(%x: f32, %y: f32) -> f32 {
  %s = arith.addf %x, %y : f32
  return %s : f32
}
func.func @main(%m: memref<64xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %m[%i] : memref<64xf32>
    %h = func.call @helper(%x, %acc) : (f32, f32) -> f32
    %l = math.log %h : f32
    %d = arith.divf %l, %x : f32
    scf.yield %d : f32
  }
  return %sum : f32
}

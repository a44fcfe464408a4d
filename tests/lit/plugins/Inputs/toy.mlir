func.func @main(%x: f32) -> f32 {
  %0 = toy.double %x : f32
  %1 = toy.scale %0 by 3 : f32
  return %1 : f32
}

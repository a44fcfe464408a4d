// A body with a loop in it, of which no vectors can be made.

func.func @f(%x: tensor<40xf32>) -> tensor<40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<40xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<40xf32>) outs(%e : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %a) -> f32 {
      %h = arith.mulf %s, %a : f32
      scf.yield %h : f32
    }
    linalg.yield %p : f32
  } -> tensor<40xf32>
  return %y : tensor<40xf32>
}

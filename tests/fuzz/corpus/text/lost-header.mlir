func.func @f(%a: tensor<4x4xf32> {x.y = @#}, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = arith.addf %a, %b : tensor<4x4xf32>
  %1 = math.exp %0 : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

func.func @f(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = math.exp %a : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  %2 = math.exp %0 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

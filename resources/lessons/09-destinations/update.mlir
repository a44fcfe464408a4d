// Three functions that write into destinations: one that reads too late, one that reads in every iteration, and a chain.
#same = affine_map<(d0) -> (d0)>

func.func @update(%state: tensor<1024xf32>, %step: tensor<1024xf32>) -> (tensor<1024xf32>, tensor<1024xf32>) {
  %place = tensor.empty() : tensor<1024xf32>
  %before = linalg.tanh ins(%state : tensor<1024xf32>) outs(%place : tensor<1024xf32>) -> tensor<1024xf32>
  %new = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%step, %before : tensor<1024xf32>, tensor<1024xf32>) outs(%state : tensor<1024xf32>) {
  ^bb0(%in: f32, %factor: f32, %old: f32):
    %scaled = arith.mulf %in, %factor : f32
    %sum = arith.addf %old, %scaled : f32
    linalg.yield %sum : f32
  } -> tensor<1024xf32>
  %other = tensor.empty() : tensor<1024xf32>
  %again = linalg.tanh ins(%state : tensor<1024xf32>) outs(%other : tensor<1024xf32>) -> tensor<1024xf32>
  return %new, %again : tensor<1024xf32>, tensor<1024xf32>
}

func.func @iterate(%start: tensor<1024xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %result = scf.for %i = %c0 to %c8 step %c1 iter_args(%state = %start) -> tensor<1024xf32> {
    %place = tensor.empty() : tensor<1024xf32>
    %rate = linalg.exp ins(%start : tensor<1024xf32>) outs(%place : tensor<1024xf32>) -> tensor<1024xf32>
    %next = linalg.add ins(%state, %rate : tensor<1024xf32>, tensor<1024xf32>)
                       outs(%state : tensor<1024xf32>) -> tensor<1024xf32>
    scf.yield %next : tensor<1024xf32>
  }
  return %result : tensor<1024xf32>
}

func.func @chain(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %first = tensor.empty() : tensor<4096xf32>
  %second = tensor.empty() : tensor<4096xf32>
  %third = tensor.empty() : tensor<4096xf32>
  %a = linalg.abs ins(%x : tensor<4096xf32>) outs(%first : tensor<4096xf32>) -> tensor<4096xf32>
  %b = linalg.sqrt ins(%a : tensor<4096xf32>) outs(%second : tensor<4096xf32>) -> tensor<4096xf32>
  %c = linalg.log ins(%b : tensor<4096xf32>) outs(%third : tensor<4096xf32>) -> tensor<4096xf32>
  return %c : tensor<4096xf32>
}

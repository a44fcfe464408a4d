// Generics: two elementwise ones in a row, one that transposes, and a sum of rows.
#id = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
func.func @f(%a: tensor<16x24xf32>, %b: tensor<24x16xf32>) -> (tensor<16xf32>, tensor<16x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x24xf32>
  %sum = linalg.generic {indexing_maps = [#id, #swapped, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<16x24xf32>, tensor<24x16xf32>) outs(%empty : tensor<16x24xf32>) attrs = {name = "sum"} {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<16x24xf32>
  %square = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<16x24xf32>) outs(%empty : tensor<16x24xf32>) attrs = {name = "square"} {
  ^bb0(%x: f32, %out: f32):
    %z = arith.mulf %x, %x : f32
    linalg.yield %z : f32
  } -> tensor<16x24xf32>
  %rows = tensor.empty() : tensor<16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%rows : tensor<16xf32>) -> tensor<16xf32>
  %reduced = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%square : tensor<16x24xf32>) outs(%fill : tensor<16xf32>) attrs = {name = "reduced"} {
  ^bb0(%x: f32, %out: f32):
    %z = arith.addf %x, %out : f32
    linalg.yield %z : f32
  } -> tensor<16xf32>
  return %reduced, %square : tensor<16xf32>, tensor<16x24xf32>
}

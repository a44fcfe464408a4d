%0 = arith.addi %a, %b : i32
%1 = linalg.fill ins(%cst : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
%2 = my.op %1, #map, !alias {x = #map1} : tensor<4xf32> -> index
return %2 : index

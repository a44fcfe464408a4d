func.func @shifts(%a: tensor<64x32xi32>, %b: tensor<64x32xi32>, %o: tensor<64xi32>) -> tensor<64xi32> {
  %amount = arith.constant 40 : i32
  %e = tensor.empty() : tensor<64x32xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<64x32xi32>, tensor<64x32xi32>) outs(%e : tensor<64x32xi32>) {
  ^bb0(%x: i32, %z: i32, %y: i32):
    %s = arith.shli %x, %amount : i32
    %t = arith.muli %s, %z : i32
    linalg.yield %t : i32
  } -> tensor<64x32xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<64x32xi32>) outs(%o : tensor<64xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<64xi32>
  return %1 : tensor<64xi32>
}

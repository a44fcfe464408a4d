func.func @main(%arg0: tensor<64x3x17x16xf64>) -> (tensor<1x67x2x3x19x19xf64>, tensor<67x19x1x1x19x2x3xf64>, tensor<f64>, tensor<67x6x19x19xf64>) {
  %v1 = tensor.empty() : tensor<64x3x17x16xf64>
  %v2 = linalg.tanh ins(%arg0 : tensor<64x3x17x16xf64>) outs(%v1 : tensor<64x3x17x16xf64>) -> tensor<64x3x17x16xf64>
  %v3 = arith.constant 2.0 : f64
  %v4 = tensor.pad %v2 low[0, 1, 0, 2] high[3, 2, 2, 1] {
    ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
      tensor.yield %v3 : f64
    } : tensor<64x3x17x16xf64> to tensor<67x6x19x19xf64>
  %v5 = tensor.empty() : tensor<67x6x19x19xf64>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<67x6x19x19xf64>) outs(%v5 : tensor<67x6x19x19xf64>) {
    ^bb0(%x0: f64, %o: f64):
      %i = linalg.index 2 : index
      %j = arith.index_cast %i : index to i32
      %k = arith.sitofp %j : i32 to f64
      %y = arith.addf %x0, %k : f64
      linalg.yield %y : f64
    } -> tensor<67x6x19x19xf64>
  %v7 = tensor.expand_shape %v6 [[0, 1], [2, 3], [4], [5]] output_shape [1, 67, 2, 3, 19, 19] : tensor<67x6x19x19xf64> into tensor<1x67x2x3x19x19xf64>
  %v8 = tensor.empty() : tensor<67x19x19x6xf64>
  %v9 = linalg.transpose ins(%v4 : tensor<67x6x19x19xf64>) outs(%v8 : tensor<67x19x19x6xf64>) permutation = [0, 2, 3, 1]
  %v10 = tensor.expand_shape %v9 [[0], [1, 2], [3, 4], [5, 6]] output_shape [67, 19, 1, 1, 19, 2, 3] : tensor<67x19x19x6xf64> into tensor<67x19x1x1x19x2x3xf64>
  %v11 = arith.constant 0.0 : f64
  %v12 = tensor.empty() : tensor<f64>
  %v13 = linalg.fill ins(%v11 : f64) outs(%v12 : tensor<f64>) -> tensor<f64>
  %v14 = linalg.reduce { arith.addf } ins(%v9 : tensor<67x19x19x6xf64>) outs(%v13 : tensor<f64>) dimensions = [0, 1, 2, 3]
  %v15 = tensor.empty() : tensor<f64>
  %v16 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%v14 : tensor<f64>) outs(%v15 : tensor<f64>) {
    ^bb0(%x0: f64, %o: f64):
      %c = arith.constant 7.629395e-06 : f64
      %y = arith.mulf %x0, %c : f64
      linalg.yield %y : f64
    } -> tensor<f64>
  %v17 = tensor.empty() : tensor<67x6x19x19xf64>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v6 : tensor<67x6x19x19xf64>) outs(%v17 : tensor<67x6x19x19xf64>) {
    ^bb0(%x0: f64, %o: f64):
      %i = linalg.index 3 : index
      %j = arith.index_cast %i : index to i32
      %k = arith.sitofp %j : i32 to f64
      %y = arith.addf %x0, %k : f64
      linalg.yield %y : f64
    } -> tensor<67x6x19x19xf64>
  %v19 = tensor.insert_slice %v2 into %v18[2, 2, 1, 1] [64, 3, 17, 16] [1, 1, 1, 1] : tensor<64x3x17x16xf64> into tensor<67x6x19x19xf64>
  return %v7, %v10, %v16, %v19 : tensor<1x67x2x3x19x19xf64>, tensor<67x19x1x1x19x2x3xf64>, tensor<f64>, tensor<67x6x19x19xf64>
}

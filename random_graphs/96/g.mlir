func.func @main(%arg0: tensor<33x8x4x31xf64>, %arg1: tensor<8x31x33xf64>, %arg2: tensor<8x33x17xf64>, %arg3: tensor<8x31x1xf64>) -> (tensor<33x4x31x8xf64>, tensor<11x3x4x2x1x4x1x31xf64>, tensor<17xf64>, tensor<10x35x18xf64>, tensor<f64>, tensor<8x33x1xf64>, tensor<33x8x1xf64>) {
  %v1 = tensor.empty() : tensor<33x4x31x8xf64>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d2, d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<33x8x4x31xf64>, tensor<8x31x33xf64>) outs(%v1 : tensor<33x4x31x8xf64>) {
    ^bb0(%x0: f64, %x1: f64, %o: f64):
      %y = arith.subf %x0, %x1 : f64
      linalg.yield %y : f64
    } -> tensor<33x4x31x8xf64>
  %v3 = tensor.expand_shape %arg0 [[0, 1], [2, 3], [4, 5], [6, 7]] output_shape [11, 3, 4, 2, 1, 4, 1, 31] : tensor<33x8x4x31xf64> into tensor<11x3x4x2x1x4x1x31xf64>
  %v4 = arith.constant 0.0 : f64
  %v5 = tensor.empty() : tensor<8x31x17xf64>
  %v6 = linalg.fill ins(%v4 : f64) outs(%v5 : tensor<8x31x17xf64>) -> tensor<8x31x17xf64>
  %v7 = linalg.batch_matmul ins(%arg1, %arg2 : tensor<8x31x33xf64>, tensor<8x33x17xf64>) outs(%v6 : tensor<8x31x17xf64>) -> tensor<8x31x17xf64>
  %v8 = tensor.empty() : tensor<8x31x17xf64>
  %v9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7 : tensor<8x31x17xf64>) outs(%v8 : tensor<8x31x17xf64>) {
    ^bb0(%x0: f64, %o: f64):
      %c = arith.constant 3.125000e-02 : f64
      %y = arith.mulf %x0, %c : f64
      linalg.yield %y : f64
    } -> tensor<8x31x17xf64>
  %v10 = arith.constant -100.0 : f64
  %v11 = tensor.empty() : tensor<17xf64>
  %v12 = linalg.fill ins(%v10 : f64) outs(%v11 : tensor<17xf64>) -> tensor<17xf64>
  %v13 = linalg.reduce { arith.maximumf } ins(%arg2 : tensor<8x33x17xf64>) outs(%v12 : tensor<17xf64>) dimensions = [0, 1]
  %v14 = tensor.collapse_shape %v9 [[0], [1, 2]] : tensor<8x31x17xf64> into tensor<8x527xf64>
  %v15 = arith.constant 0.0 : f64
  %v16 = tensor.pad %v7 low[2, 1, 0] high[0, 3, 1] {
    ^bb0(%i0: index, %i1: index, %i2: index):
      tensor.yield %v15 : f64
    } : tensor<8x31x17xf64> to tensor<10x35x18xf64>
  %v17 = arith.constant 0.0 : f64
  %v18 = tensor.empty() : tensor<f64>
  %v19 = linalg.fill ins(%v17 : f64) outs(%v18 : tensor<f64>) -> tensor<f64>
  %v20 = linalg.reduce { arith.addf } ins(%v14 : tensor<8x527xf64>) outs(%v19 : tensor<f64>) dimensions = [0, 1]
  %v21 = tensor.empty() : tensor<f64>
  %v22 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%v20 : tensor<f64>) outs(%v21 : tensor<f64>) {
    ^bb0(%x0: f64, %o: f64):
      %c = arith.constant 2.441406e-04 : f64
      %y = arith.mulf %x0, %c : f64
      linalg.yield %y : f64
    } -> tensor<f64>
  %v23 = arith.constant 0.0 : f64
  %v24 = tensor.empty() : tensor<8x33x1xf64>
  %v25 = linalg.fill ins(%v23 : f64) outs(%v24 : tensor<8x33x1xf64>) -> tensor<8x33x1xf64>
  %v26 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg1, %arg3 : tensor<8x31x33xf64>, tensor<8x31x1xf64>) outs(%v25 : tensor<8x33x1xf64>) -> tensor<8x33x1xf64>
  %v27 = tensor.empty() : tensor<8x33x1xf64>
  %v28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v26 : tensor<8x33x1xf64>) outs(%v27 : tensor<8x33x1xf64>) {
    ^bb0(%x0: f64, %o: f64):
      %c = arith.constant 6.250000e-02 : f64
      %y = arith.mulf %x0, %c : f64
      linalg.yield %y : f64
    } -> tensor<8x33x1xf64>
  %v29 = tensor.empty() : tensor<8x33x1xf64>
  %v30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v26 : tensor<8x33x1xf64>) outs(%v29 : tensor<8x33x1xf64>) {
    ^bb0(%x0: f64, %o: f64):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %k = arith.sitofp %j : i32 to f64
      %y = arith.addf %x0, %k : f64
      linalg.yield %y : f64
    } -> tensor<8x33x1xf64>
  %v31 = tensor.empty() : tensor<33x8x1xf64>
  %v32 = linalg.transpose ins(%v28 : tensor<8x33x1xf64>) outs(%v31 : tensor<33x8x1xf64>) permutation = [1, 0, 2]
  return %v2, %v3, %v13, %v16, %v22, %v30, %v32 : tensor<33x4x31x8xf64>, tensor<11x3x4x2x1x4x1x31xf64>, tensor<17xf64>, tensor<10x35x18xf64>, tensor<f64>, tensor<8x33x1xf64>, tensor<33x8x1xf64>
}

// A plain batch matmul, 128 times 80x32 by 32x320: what samples/schedules/batch_matmul.mlir is for.
func.func @batch_matmul(%a: tensor<128x80x32xf32>, %b: tensor<128x32x320xf32>) -> tensor<128x80x320xf32> {
  %empty = tensor.empty() : tensor<128x80x320xf32>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x80x320xf32>) -> tensor<128x80x320xf32>
  %matmul = linalg.batch_matmul ins(%a, %b : tensor<128x80x32xf32>, tensor<128x32x320xf32>)
      outs(%fill : tensor<128x80x320xf32>) -> tensor<128x80x320xf32>
  return %matmul : tensor<128x80x320xf32>
}

#here = loc("export.py":3:1)
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %v: tensor<32x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x32xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x32xf32>) -> tensor<8x32xf32> loc(#here)
  %a = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%f0 : tensor<8x32xf32>) -> tensor<8x32xf32> loc(#here)
  %e1 = tensor.empty() : tensor<8x8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x8xf32>) -> tensor<8x8xf32> loc(#here)
  %b = linalg.matmul ins(%a, %v : tensor<8x32xf32>, tensor<32x8xf32>) outs(%f1 : tensor<8x8xf32>) -> tensor<8x8xf32> loc(#here)
  return %b : tensor<8x8xf32> loc(#here)
} loc(#here)

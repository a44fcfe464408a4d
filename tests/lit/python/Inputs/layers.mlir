func.func @main(%x: tensor<8x8xf32>,
    %n0: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.0.norm.weight"}, %w0: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.0.fc.weight"},
    %n1: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.1.norm.weight"}, %w1: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.1.fc.weight"},
    %n2: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.2.norm.weight"}, %w2: tensor<8x8xf32> {fuselage.parameter = "model::m.layers.2.fc.weight"}) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a0 = linalg.mul ins(%x, %n0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b0 = linalg.matmul ins(%a0, %w0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c0 = linalg.add ins(%b0, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a1 = linalg.mul ins(%c0, %n1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b1 = linalg.matmul ins(%a1, %w1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c1 = linalg.add ins(%b1, %c0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a2 = linalg.mul ins(%c1, %n2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b2 = linalg.matmul ins(%a2, %w2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c2 = linalg.add ins(%b2, %c1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c2 : tensor<8x8xf32>
}

// Queries of one sequence, keys and values of another, both of unknown length.
func.func @forward(%q: tensor<4x?x16xf32>, %k: tensor<4x?x16xf32>, %v: tensor<4x?x16xf32>) -> tensor<4x?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %q, %c1 : tensor<4x?x16xf32>
  %keys = tensor.dim %k, %c1 : tensor<4x?x16xf32>
  %te = tensor.empty(%keys) : tensor<4x16x?xf32>
  %kt = linalg.transpose ins(%k : tensor<4x?x16xf32>) outs(%te : tensor<4x16x?xf32>) permutation = [0, 2, 1]
  %se = tensor.empty(%rows, %keys) : tensor<4x?x?xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<4x?x16xf32>, tensor<4x16x?xf32>) outs(%sf : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x?x?xf32>) outs(%se : tensor<4x?x?xf32>) -> tensor<4x?x?xf32>
  %ce = tensor.empty(%rows) : tensor<4x?x16xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  %c = linalg.batch_matmul ins(%p, %v : tensor<4x?x?xf32>, tensor<4x?x16xf32>) outs(%cf : tensor<4x?x16xf32>) -> tensor<4x?x16xf32>
  return %c : tensor<4x?x16xf32>
}

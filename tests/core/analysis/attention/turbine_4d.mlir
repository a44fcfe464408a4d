// Heads in 4-D, every layout change an op of its own: linalg.transpose, linalg.broadcast, linalg.softmax, products
// with indexing maps; an additive mask as an input.
#lhs = affine_map<(b, m, n, k) -> (b, m, k)>
#rhs_t = affine_map<(b, m, n, k) -> (b, n, k)>
#out = affine_map<(b, m, n, k) -> (b, m, n)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#mask = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
func.func @forward(%x: tensor<2x16x32xf32>, %wq: tensor<32x32xf32>, %wk: tensor<32x32xf32>, %wv: tensor<32x32xf32>,
                   %wo: tensor<32x32xf32>, %mask: tensor<2x16xf32>) -> tensor<2x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.353553385 : f32
  %wqe = tensor.empty() : tensor<2x32x32xf32>
  %wqb = linalg.broadcast ins(%wq : tensor<32x32xf32>) outs(%wqe : tensor<2x32x32xf32>) dimensions = [0]
  %wkb = linalg.broadcast ins(%wk : tensor<32x32xf32>) outs(%wqe : tensor<2x32x32xf32>) dimensions = [0]
  %wvb = linalg.broadcast ins(%wv : tensor<32x32xf32>) outs(%wqe : tensor<2x32x32xf32>) dimensions = [0]
  %pe = tensor.empty() : tensor<2x16x32xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  %q = linalg.batch_matmul indexing_maps = [#lhs, #rhs_t, #out]
      ins(%x, %wqb : tensor<2x16x32xf32>, tensor<2x32x32xf32>) outs(%pf : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  %k = linalg.batch_matmul indexing_maps = [#lhs, #rhs_t, #out]
      ins(%x, %wkb : tensor<2x16x32xf32>, tensor<2x32x32xf32>) outs(%pf : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  %v = linalg.batch_matmul indexing_maps = [#lhs, #rhs_t, #out]
      ins(%x, %wvb : tensor<2x16x32xf32>, tensor<2x32x32xf32>) outs(%pf : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  %q4 = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xf32> into tensor<2x16x4x8xf32>
  %k4 = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xf32> into tensor<2x16x4x8xf32>
  %v4 = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<2x16x32xf32> into tensor<2x16x4x8xf32>
  %he = tensor.empty() : tensor<2x4x16x8xf32>
  %qh = linalg.transpose ins(%q4 : tensor<2x16x4x8xf32>) outs(%he : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %kh = linalg.transpose ins(%k4 : tensor<2x16x4x8xf32>) outs(%he : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %vh = linalg.transpose ins(%v4 : tensor<2x16x4x8xf32>) outs(%he : tensor<2x4x16x8xf32>) permutation = [0, 2, 1, 3]
  %kte = tensor.empty() : tensor<2x4x8x16xf32>
  %kt = linalg.transpose ins(%kh : tensor<2x4x16x8xf32>) outs(%kte : tensor<2x4x8x16xf32>) permutation = [0, 1, 3, 2]
  %qc = tensor.collapse_shape %qh [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
  %kc = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x4x8x16xf32> into tensor<8x8x16xf32>
  %vc = tensor.collapse_shape %vh [[0, 1], [2], [3]] : tensor<2x4x16x8xf32> into tensor<8x16x8xf32>
  %se = tensor.empty() : tensor<8x16x16xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %s = linalg.batch_matmul ins(%qc, %kc : tensor<8x16x8xf32>, tensor<8x8x16xf32>) outs(%sf : tensor<8x16x16xf32>) -> tensor<8x16x16xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [2, 4, 16, 16] : tensor<8x16x16xf32> into tensor<2x4x16x16xf32>
  %ze = tensor.empty() : tensor<2x4x16x16xf32>
  %scaled = linalg.generic {indexing_maps = [#id4, #mask, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s4, %mask : tensor<2x4x16x16xf32>, tensor<2x16xf32>) outs(%ze : tensor<2x4x16x16xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %t = arith.mulf %a, %scale : f32
    %r = arith.addf %t, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x16x16xf32>
  %p = linalg.softmax dimension(3) ins(%scaled : tensor<2x4x16x16xf32>) outs(%ze : tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %pc = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x4x16x16xf32> into tensor<8x16x16xf32>
  %ce = tensor.empty() : tensor<8x16x8xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %c = linalg.batch_matmul ins(%pc, %vc : tensor<8x16x16xf32>, tensor<8x16x8xf32>) outs(%cf : tensor<8x16x8xf32>) -> tensor<8x16x8xf32>
  %c4 = tensor.expand_shape %c [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : tensor<8x16x8xf32> into tensor<2x4x16x8xf32>
  %te = tensor.empty() : tensor<2x16x4x8xf32>
  %ct = linalg.transpose ins(%c4 : tensor<2x4x16x8xf32>) outs(%te : tensor<2x16x4x8xf32>) permutation = [0, 2, 1, 3]
  %y = tensor.collapse_shape %ct [[0], [1], [2, 3]] : tensor<2x16x4x8xf32> into tensor<2x16x32xf32>
  %wob = linalg.broadcast ins(%wo : tensor<32x32xf32>) outs(%wqe : tensor<2x32x32xf32>) dimensions = [0]
  %r = linalg.batch_matmul indexing_maps = [#lhs, #rhs_t, #out]
      ins(%y, %wob : tensor<2x16x32xf32>, tensor<2x32x32xf32>) outs(%pf : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
  return %r : tensor<2x16x32xf32>
}

// Grouped queries: 4 heads of queries share 2 heads of keys and values, which are repeated; linalg.contract.
#qk_q = affine_map<(h, m, n, k) -> (h, m, k)>
#qk_k = affine_map<(h, m, n, k) -> (h, n, k)>
#qk_s = affine_map<(h, m, n, k) -> (h, m, n)>
#pv_p = affine_map<(h, m, n, k) -> (h, m, k)>
#pv_v = affine_map<(h, m, n, k) -> (h, k, n)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @forward(%q: tensor<4x20x8xf32>, %k: tensor<2x24x8xf32>, %v: tensor<2x24x8xf32>) -> tensor<4x20x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.353553385 : f32
  %re = tensor.empty() : tensor<2x2x24x8xf32>
  %kr = linalg.broadcast ins(%k : tensor<2x24x8xf32>) outs(%re : tensor<2x2x24x8xf32>) dimensions = [1]
  %vr = linalg.broadcast ins(%v : tensor<2x24x8xf32>) outs(%re : tensor<2x2x24x8xf32>) dimensions = [1]
  %k4 = tensor.collapse_shape %kr [[0, 1], [2], [3]] : tensor<2x2x24x8xf32> into tensor<4x24x8xf32>
  %v4 = tensor.collapse_shape %vr [[0, 1], [2], [3]] : tensor<2x2x24x8xf32> into tensor<4x24x8xf32>
  %qe = tensor.empty() : tensor<4x20x8xf32>
  %qs = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q : tensor<4x20x8xf32>) outs(%qe : tensor<4x20x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %scale : f32
    linalg.yield %r : f32
  } -> tensor<4x20x8xf32>
  %se = tensor.empty() : tensor<4x20x24xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<4x20x24xf32>) -> tensor<4x20x24xf32>
  %s = linalg.contract indexing_maps = [#qk_q, #qk_k, #qk_s]
      ins(%qs, %k4 : tensor<4x20x8xf32>, tensor<4x24x8xf32>) outs(%sf : tensor<4x20x24xf32>) -> tensor<4x20x24xf32>
  %me = tensor.empty() : tensor<4x20xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%me : tensor<4x20xf32>) -> tensor<4x20xf32>
  %max = linalg.reduce { arith.maximumf } ins(%s : tensor<4x20x24xf32>) outs(%m0 : tensor<4x20xf32>) dimensions = [2]
  %mb = linalg.broadcast ins(%max : tensor<4x20xf32>) outs(%se : tensor<4x20x24xf32>) dimensions = [2]
  %d = linalg.sub ins(%s, %mb : tensor<4x20x24xf32>, tensor<4x20x24xf32>) outs(%se : tensor<4x20x24xf32>) -> tensor<4x20x24xf32>
  %e = linalg.exp ins(%d : tensor<4x20x24xf32>) outs(%se : tensor<4x20x24xf32>) -> tensor<4x20x24xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%me : tensor<4x20xf32>) -> tensor<4x20xf32>
  %sum = linalg.reduce { arith.addf } ins(%e : tensor<4x20x24xf32>) outs(%l0 : tensor<4x20xf32>) dimensions = [2]
  %sb = linalg.broadcast ins(%sum : tensor<4x20xf32>) outs(%se : tensor<4x20x24xf32>) dimensions = [2]
  %p = linalg.div ins(%e, %sb : tensor<4x20x24xf32>, tensor<4x20x24xf32>) outs(%se : tensor<4x20x24xf32>) -> tensor<4x20x24xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%qe : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
  %c = linalg.contract indexing_maps = [#pv_p, #pv_v, #qk_s]
      ins(%p, %v4 : tensor<4x20x24xf32>, tensor<4x24x8xf32>) outs(%cf : tensor<4x20x8xf32>) -> tensor<4x20x8xf32>
  return %c : tensor<4x20x8xf32>
}

// A transformer block as exported: normalization, attention, residual; normalization, two layers with GELU, residual.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @forward(%x: tensor<24x16xf32>, %g1: tensor<16xf32>, %b1: tensor<16xf32>, %g2: tensor<16xf32>, %b2: tensor<16xf32>, %wq: tensor<16x16xf32>, %cq: tensor<16xf32>, %wk: tensor<16x16xf32>, %ck: tensor<16xf32>, %wv: tensor<16x16xf32>, %cv: tensor<16xf32>, %wo: tensor<16x16xf32>, %co: tensor<16xf32>, %wu: tensor<48x16xf32>, %cu: tensor<48xf32>, %wd: tensor<16x48xf32>, %cd: tensor<16xf32>) -> tensor<24x16xf32> {
  %zero = arith.constant 0.0 : f32
  %inv = arith.constant 0.0625 : f32
  %eps = arith.constant 1.0e-05 : f32
  %scale = arith.constant 0.353553385 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.707106769 : f32
  %heads = tensor.empty() : tensor<2x24x8xf32>
  %n1_re = tensor.empty() : tensor<24xf32>
  %n1_rf = linalg.fill ins(%zero : f32) outs(%n1_re : tensor<24xf32>) -> tensor<24xf32>
  %n1_sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<24x16xf32>) outs(%n1_rf : tensor<24xf32>) {
  ^bb0(%p_a: f32, %p_o: f32):
    %p_r = arith.addf %p_a, %p_o : f32
    linalg.yield %p_r : f32
  } -> tensor<24xf32>
  %n1_e = tensor.empty() : tensor<24x16xf32>
  %n1_c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %n1_sum : tensor<24x16xf32>, tensor<24xf32>) outs(%n1_e : tensor<24x16xf32>) {
  ^bb0(%p_a: f32, %p_s: f32, %p_o: f32):
    %p_m = arith.mulf %p_s, %inv : f32
    %p_r = arith.subf %p_a, %p_m : f32
    linalg.yield %p_r : f32
  } -> tensor<24x16xf32>
  %n1_var = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%n1_c : tensor<24x16xf32>) outs(%n1_rf : tensor<24xf32>) {
  ^bb0(%p_a: f32, %p_o: f32):
    %p_s = arith.mulf %p_a, %p_a : f32
    %p_r = arith.addf %p_s, %p_o : f32
    linalg.yield %p_r : f32
  } -> tensor<24xf32>
  %n1 = linalg.generic {indexing_maps = [#id, #row, #col, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%n1_c, %n1_var, %g1, %b1 : tensor<24x16xf32>, tensor<24xf32>, tensor<16xf32>, tensor<16xf32>) outs(%n1_e : tensor<24x16xf32>) {
  ^bb0(%p_a: f32, %p_v: f32, %p_g: f32, %p_b: f32, %p_o: f32):
    %p_m = arith.mulf %p_v, %inv : f32
    %p_n = arith.addf %p_m, %eps : f32
    %p_d = math.rsqrt %p_n : f32
    %p_w = arith.mulf %p_a, %p_d : f32
    %p_z1 = arith.mulf %p_w, %p_g : f32
    %p_r = arith.addf %p_z1, %p_b : f32
    linalg.yield %p_r : f32
  } -> tensor<24x16xf32>
  %q_we = tensor.empty() : tensor<16x16xf32>
  %q_wt = linalg.transpose ins(%wq : tensor<16x16xf32>) outs(%q_we : tensor<16x16xf32>) permutation = [1, 0]
  %q_e = tensor.empty() : tensor<24x16xf32>
  %q_f = linalg.fill ins(%zero : f32) outs(%q_e : tensor<24x16xf32>) -> tensor<24x16xf32>
  %q_m = linalg.matmul ins(%n1, %q_wt : tensor<24x16xf32>, tensor<16x16xf32>) outs(%q_f : tensor<24x16xf32>) -> tensor<24x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q_m, %cq : tensor<24x16xf32>, tensor<16xf32>) outs(%q_e : tensor<24x16xf32>) {
  ^bb0(%p_a: f32, %p_b: f32, %p_o: f32):
    %p_r = arith.addf %p_a, %p_b : f32
    linalg.yield %p_r : f32
  } -> tensor<24x16xf32>
  %qh_4 = tensor.expand_shape %q [[0], [1, 2]] output_shape [24, 2, 8] : tensor<24x16xf32> into tensor<24x2x8xf32>
  %qh = linalg.transpose ins(%qh_4 : tensor<24x2x8xf32>) outs(%heads : tensor<2x24x8xf32>) permutation = [1, 0, 2]
  %k_we = tensor.empty() : tensor<16x16xf32>
  %k_wt = linalg.transpose ins(%wk : tensor<16x16xf32>) outs(%k_we : tensor<16x16xf32>) permutation = [1, 0]
  %k_e = tensor.empty() : tensor<24x16xf32>
  %k_f = linalg.fill ins(%zero : f32) outs(%k_e : tensor<24x16xf32>) -> tensor<24x16xf32>
  %k_m = linalg.matmul ins(%n1, %k_wt : tensor<24x16xf32>, tensor<16x16xf32>) outs(%k_f : tensor<24x16xf32>) -> tensor<24x16xf32>
  %k = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%k_m, %ck : tensor<24x16xf32>, tensor<16xf32>) outs(%k_e : tensor<24x16xf32>) {
  ^bb0(%p_a: f32, %p_b: f32, %p_o: f32):
    %p_r = arith.addf %p_a, %p_b : f32
    linalg.yield %p_r : f32
  } -> tensor<24x16xf32>
  %kh_4 = tensor.expand_shape %k [[0], [1, 2]] output_shape [24, 2, 8] : tensor<24x16xf32> into tensor<24x2x8xf32>
  %kh = linalg.transpose ins(%kh_4 : tensor<24x2x8xf32>) outs(%heads : tensor<2x24x8xf32>) permutation = [1, 0, 2]
  %v_we = tensor.empty() : tensor<16x16xf32>
  %v_wt = linalg.transpose ins(%wv : tensor<16x16xf32>) outs(%v_we : tensor<16x16xf32>) permutation = [1, 0]
  %v_e = tensor.empty() : tensor<24x16xf32>
  %v_f = linalg.fill ins(%zero : f32) outs(%v_e : tensor<24x16xf32>) -> tensor<24x16xf32>
  %v_m = linalg.matmul ins(%n1, %v_wt : tensor<24x16xf32>, tensor<16x16xf32>) outs(%v_f : tensor<24x16xf32>) -> tensor<24x16xf32>
  %v = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%v_m, %cv : tensor<24x16xf32>, tensor<16xf32>) outs(%v_e : tensor<24x16xf32>) {
  ^bb0(%p_a: f32, %p_b: f32, %p_o: f32):
    %p_r = arith.addf %p_a, %p_b : f32
    linalg.yield %p_r : f32
  } -> tensor<24x16xf32>
  %vh_4 = tensor.expand_shape %v [[0], [1, 2]] output_shape [24, 2, 8] : tensor<24x16xf32> into tensor<24x2x8xf32>
  %vh = linalg.transpose ins(%vh_4 : tensor<24x2x8xf32>) outs(%heads : tensor<2x24x8xf32>) permutation = [1, 0, 2]
  %kte = tensor.empty() : tensor<2x8x24xf32>
  %kt = linalg.transpose ins(%kh : tensor<2x24x8xf32>) outs(%kte : tensor<2x8x24xf32>) permutation = [0, 2, 1]
  %se = tensor.empty() : tensor<2x24x24xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %s = linalg.batch_matmul ins(%qh, %kt : tensor<2x24x8xf32>, tensor<2x8x24xf32>) outs(%sf : tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %z = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x24x24xf32>) outs(%se : tensor<2x24x24xf32>) {
  ^bb0(%p_a: f32, %p_o: f32):
    %p_r = arith.mulf %p_a, %scale : f32
    linalg.yield %p_r : f32
  } -> tensor<2x24x24xf32>
  %p = linalg.softmax dimension(2) ins(%z : tensor<2x24x24xf32>) outs(%se : tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%heads : tensor<2x24x8xf32>) -> tensor<2x24x8xf32>
  %c = linalg.batch_matmul ins(%p, %vh : tensor<2x24x24xf32>, tensor<2x24x8xf32>) outs(%cf : tensor<2x24x8xf32>) -> tensor<2x24x8xf32>
  %te = tensor.empty() : tensor<24x2x8xf32>
  %ct = linalg.transpose ins(%c : tensor<2x24x8xf32>) outs(%te : tensor<24x2x8xf32>) permutation = [1, 0, 2]
  %cm = tensor.collapse_shape %ct [[0], [1, 2]] : tensor<24x2x8xf32> into tensor<24x16xf32>
  %o_we = tensor.empty() : tensor<16x16xf32>
  %o_wt = linalg.transpose ins(%wo : tensor<16x16xf32>) outs(%o_we : tensor<16x16xf32>) permutation = [1, 0]
  %o_e = tensor.empty() : tensor<24x16xf32>
  %o_f = linalg.fill ins(%zero : f32) outs(%o_e : tensor<24x16xf32>) -> tensor<24x16xf32>
  %o_m = linalg.matmul ins(%cm, %o_wt : tensor<24x16xf32>, tensor<16x16xf32>) outs(%o_f : tensor<24x16xf32>) -> tensor<24x16xf32>
  %o = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_m, %co : tensor<24x16xf32>, tensor<16xf32>) outs(%o_e : tensor<24x16xf32>) {
  ^bb0(%p_a: f32, %p_b: f32, %p_o: f32):
    %p_r = arith.addf %p_a, %p_b : f32
    linalg.yield %p_r : f32
  } -> tensor<24x16xf32>
  %h_e = tensor.empty() : tensor<24x16xf32>
  %h = linalg.add ins(%o, %x : tensor<24x16xf32>, tensor<24x16xf32>) outs(%h_e : tensor<24x16xf32>) -> tensor<24x16xf32>
  %n2_re = tensor.empty() : tensor<24xf32>
  %n2_rf = linalg.fill ins(%zero : f32) outs(%n2_re : tensor<24xf32>) -> tensor<24xf32>
  %n2_sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<24x16xf32>) outs(%n2_rf : tensor<24xf32>) {
  ^bb0(%p_a: f32, %p_o: f32):
    %p_r = arith.addf %p_a, %p_o : f32
    linalg.yield %p_r : f32
  } -> tensor<24xf32>
  %n2_e = tensor.empty() : tensor<24x16xf32>
  %n2_c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %n2_sum : tensor<24x16xf32>, tensor<24xf32>) outs(%n2_e : tensor<24x16xf32>) {
  ^bb0(%p_a: f32, %p_s: f32, %p_o: f32):
    %p_m = arith.mulf %p_s, %inv : f32
    %p_r = arith.subf %p_a, %p_m : f32
    linalg.yield %p_r : f32
  } -> tensor<24x16xf32>
  %n2_var = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%n2_c : tensor<24x16xf32>) outs(%n2_rf : tensor<24xf32>) {
  ^bb0(%p_a: f32, %p_o: f32):
    %p_s = arith.mulf %p_a, %p_a : f32
    %p_r = arith.addf %p_s, %p_o : f32
    linalg.yield %p_r : f32
  } -> tensor<24xf32>
  %n2 = linalg.generic {indexing_maps = [#id, #row, #col, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%n2_c, %n2_var, %g2, %b2 : tensor<24x16xf32>, tensor<24xf32>, tensor<16xf32>, tensor<16xf32>) outs(%n2_e : tensor<24x16xf32>) {
  ^bb0(%p_a: f32, %p_v: f32, %p_g: f32, %p_b: f32, %p_o: f32):
    %p_m = arith.mulf %p_v, %inv : f32
    %p_n = arith.addf %p_m, %eps : f32
    %p_d = math.rsqrt %p_n : f32
    %p_w = arith.mulf %p_a, %p_d : f32
    %p_z1 = arith.mulf %p_w, %p_g : f32
    %p_r = arith.addf %p_z1, %p_b : f32
    linalg.yield %p_r : f32
  } -> tensor<24x16xf32>
  %u_we = tensor.empty() : tensor<16x48xf32>
  %u_wt = linalg.transpose ins(%wu : tensor<48x16xf32>) outs(%u_we : tensor<16x48xf32>) permutation = [1, 0]
  %u_e = tensor.empty() : tensor<24x48xf32>
  %u_f = linalg.fill ins(%zero : f32) outs(%u_e : tensor<24x48xf32>) -> tensor<24x48xf32>
  %u_m = linalg.matmul ins(%n2, %u_wt : tensor<24x16xf32>, tensor<16x48xf32>) outs(%u_f : tensor<24x48xf32>) -> tensor<24x48xf32>
  %u = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u_m, %cu : tensor<24x48xf32>, tensor<48xf32>) outs(%u_e : tensor<24x48xf32>) {
  ^bb0(%p_a: f32, %p_b: f32, %p_o: f32):
    %p_r = arith.addf %p_a, %p_b : f32
    linalg.yield %p_r : f32
  } -> tensor<24x48xf32>
  %ge = tensor.empty() : tensor<24x48xf32>
  %gelu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u : tensor<24x48xf32>) outs(%ge : tensor<24x48xf32>) {
  ^bb0(%p_a: f32, %p_o: f32):
    %p_b = arith.mulf %p_a, %root : f32
    %p_c = math.erf %p_b : f32
    %p_d = arith.addf %p_c, %one : f32
    %p_e = arith.mulf %p_d, %half : f32
    %p_r = arith.mulf %p_a, %p_e : f32
    linalg.yield %p_r : f32
  } -> tensor<24x48xf32>
  %d_we = tensor.empty() : tensor<48x16xf32>
  %d_wt = linalg.transpose ins(%wd : tensor<16x48xf32>) outs(%d_we : tensor<48x16xf32>) permutation = [1, 0]
  %d_e = tensor.empty() : tensor<24x16xf32>
  %d_f = linalg.fill ins(%zero : f32) outs(%d_e : tensor<24x16xf32>) -> tensor<24x16xf32>
  %d_m = linalg.matmul ins(%gelu, %d_wt : tensor<24x48xf32>, tensor<48x16xf32>) outs(%d_f : tensor<24x16xf32>) -> tensor<24x16xf32>
  %d = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d_m, %cd : tensor<24x16xf32>, tensor<16xf32>) outs(%d_e : tensor<24x16xf32>) {
  ^bb0(%p_a: f32, %p_b: f32, %p_o: f32):
    %p_r = arith.addf %p_a, %p_b : f32
    linalg.yield %p_r : f32
  } -> tensor<24x16xf32>
  %y_e = tensor.empty() : tensor<24x16xf32>
  %y = linalg.add ins(%d, %h : tensor<24x16xf32>, tensor<24x16xf32>) outs(%y_e : tensor<24x16xf32>) -> tensor<24x16xf32>
  return %y : tensor<24x16xf32>
}

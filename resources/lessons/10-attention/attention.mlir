// Self-attention as a PyTorch export lowers it: one sentence of 128 tokens, 128 wide, 8 heads of 16.
//
//   Q = x Wq^T + bq,  K = x Wk^T + bk,  V = x Wv^T + bv
//   y = softmax(Q K^T / 4) V        for each head
//
// The exporter transposes each weight by a generic of its own, carries a batch of 1 through every op, and splits and
// merges the heads by reshapes and transposes.

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#transpose2 = affine_map<(d0, d1) -> (d1, d0)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#unit3 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#matrix3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#bias3 = affine_map<(d0, d1, d2) -> (d2)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#unit4 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#heads4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#swap4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#row4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#urow4 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>

module {
  func.func @forward(%hidden: tensor<1x128x128xf32>,
                     %wq: tensor<128x128xf32>, %bq: tensor<128xf32>,
                     %wk: tensor<128x128xf32>, %bk: tensor<128xf32>,
                     %wv: tensor<128x128xf32>, %bv: tensor<128xf32>) -> tensor<1x128x128xf32> {
    %zero = arith.constant 0.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %scale = arith.constant 4.0 : f32

    // Query projection: x Wq^T + bq.
    %q_wt_init = tensor.empty() : tensor<128x128xf32>
    %q_wt = linalg.generic {indexing_maps = [#id2, #transpose2], iterator_types = ["parallel", "parallel"]}
        ins(%wq : tensor<128x128xf32>) outs(%q_wt_init : tensor<128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<128x128xf32>
    %q_x_init = tensor.empty() : tensor<1x128x128xf32>
    %q_x = linalg.generic {indexing_maps = [#unit3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%hidden : tensor<1x128x128xf32>) outs(%q_x_init : tensor<1x128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x128x128xf32>
    %q_w_init = tensor.empty() : tensor<1x128x128xf32>
    %q_w = linalg.generic {indexing_maps = [#matrix3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%q_wt : tensor<128x128xf32>) outs(%q_w_init : tensor<1x128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x128x128xf32>
    %q_mm_init = tensor.empty() : tensor<1x128x128xf32>
    %q_mm_fill = linalg.fill ins(%zero : f32) outs(%q_mm_init : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
    %q_mm = linalg.batch_matmul ins(%q_x, %q_w : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%q_mm_fill : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
    %q_init = tensor.empty() : tensor<1x128x128xf32>
    %q = linalg.generic {indexing_maps = [#unit3, #bias3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%q_mm, %bq : tensor<1x128x128xf32>, tensor<128xf32>) outs(%q_init : tensor<1x128x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %sum = arith.addf %in0, %in1 : f32
      linalg.yield %sum : f32
    } -> tensor<1x128x128xf32>
    %q_split = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [1, 128, 8, 16] : tensor<1x128x128xf32> into tensor<1x128x8x16xf32>
    // Split the heads and move them in front of the tokens.
    %q_heads_init = tensor.empty() : tensor<1x8x128x16xf32>
    %q_heads = linalg.generic {indexing_maps = [#id4, #heads4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%q_split : tensor<1x128x8x16xf32>) outs(%q_heads_init : tensor<1x8x128x16xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x8x128x16xf32>

    // Key projection: x Wk^T + bk.
    %k_wt_init = tensor.empty() : tensor<128x128xf32>
    %k_wt = linalg.generic {indexing_maps = [#id2, #transpose2], iterator_types = ["parallel", "parallel"]}
        ins(%wk : tensor<128x128xf32>) outs(%k_wt_init : tensor<128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<128x128xf32>
    %k_x_init = tensor.empty() : tensor<1x128x128xf32>
    %k_x = linalg.generic {indexing_maps = [#unit3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%hidden : tensor<1x128x128xf32>) outs(%k_x_init : tensor<1x128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x128x128xf32>
    %k_w_init = tensor.empty() : tensor<1x128x128xf32>
    %k_w = linalg.generic {indexing_maps = [#matrix3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%k_wt : tensor<128x128xf32>) outs(%k_w_init : tensor<1x128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x128x128xf32>
    %k_mm_init = tensor.empty() : tensor<1x128x128xf32>
    %k_mm_fill = linalg.fill ins(%zero : f32) outs(%k_mm_init : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
    %k_mm = linalg.batch_matmul ins(%k_x, %k_w : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%k_mm_fill : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
    %k_init = tensor.empty() : tensor<1x128x128xf32>
    %k = linalg.generic {indexing_maps = [#unit3, #bias3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%k_mm, %bk : tensor<1x128x128xf32>, tensor<128xf32>) outs(%k_init : tensor<1x128x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %sum = arith.addf %in0, %in1 : f32
      linalg.yield %sum : f32
    } -> tensor<1x128x128xf32>
    %k_split = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [1, 128, 8, 16] : tensor<1x128x128xf32> into tensor<1x128x8x16xf32>
    // Split the heads and move them in front of the tokens.
    %k_heads_init = tensor.empty() : tensor<1x8x128x16xf32>
    %k_heads = linalg.generic {indexing_maps = [#id4, #heads4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%k_split : tensor<1x128x8x16xf32>) outs(%k_heads_init : tensor<1x8x128x16xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x8x128x16xf32>

    // Value projection: x Wv^T + bv.
    %v_wt_init = tensor.empty() : tensor<128x128xf32>
    %v_wt = linalg.generic {indexing_maps = [#id2, #transpose2], iterator_types = ["parallel", "parallel"]}
        ins(%wv : tensor<128x128xf32>) outs(%v_wt_init : tensor<128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<128x128xf32>
    %v_x_init = tensor.empty() : tensor<1x128x128xf32>
    %v_x = linalg.generic {indexing_maps = [#unit3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%hidden : tensor<1x128x128xf32>) outs(%v_x_init : tensor<1x128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x128x128xf32>
    %v_w_init = tensor.empty() : tensor<1x128x128xf32>
    %v_w = linalg.generic {indexing_maps = [#matrix3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%v_wt : tensor<128x128xf32>) outs(%v_w_init : tensor<1x128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x128x128xf32>
    %v_mm_init = tensor.empty() : tensor<1x128x128xf32>
    %v_mm_fill = linalg.fill ins(%zero : f32) outs(%v_mm_init : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
    %v_mm = linalg.batch_matmul ins(%v_x, %v_w : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%v_mm_fill : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
    %v_init = tensor.empty() : tensor<1x128x128xf32>
    %v = linalg.generic {indexing_maps = [#unit3, #bias3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%v_mm, %bv : tensor<1x128x128xf32>, tensor<128xf32>) outs(%v_init : tensor<1x128x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %sum = arith.addf %in0, %in1 : f32
      linalg.yield %sum : f32
    } -> tensor<1x128x128xf32>
    %v_split = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [1, 128, 8, 16] : tensor<1x128x128xf32> into tensor<1x128x8x16xf32>
    // Split the heads and move them in front of the tokens.
    %v_heads_init = tensor.empty() : tensor<1x8x128x16xf32>
    %v_heads = linalg.generic {indexing_maps = [#id4, #heads4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%v_split : tensor<1x128x8x16xf32>) outs(%v_heads_init : tensor<1x8x128x16xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x8x128x16xf32>

    // Scores: Q K^T, divided by sqrt(16).
    %k_t_init = tensor.empty() : tensor<1x8x16x128xf32>
    %k_t = linalg.generic {indexing_maps = [#id4, #swap4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%k_heads : tensor<1x8x128x16xf32>) outs(%k_t_init : tensor<1x8x16x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x8x16x128xf32>
    %q_b_init = tensor.empty() : tensor<1x8x128x16xf32>
    %q_b = linalg.generic {indexing_maps = [#unit4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%q_heads : tensor<1x8x128x16xf32>) outs(%q_b_init : tensor<1x8x128x16xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x8x128x16xf32>
    %k_b_init = tensor.empty() : tensor<1x8x16x128xf32>
    %k_b = linalg.generic {indexing_maps = [#unit4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%k_t : tensor<1x8x16x128xf32>) outs(%k_b_init : tensor<1x8x16x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x8x16x128xf32>
    %q3 = tensor.collapse_shape %q_b [[0, 1], [2], [3]] : tensor<1x8x128x16xf32> into tensor<8x128x16xf32>
    %k3 = tensor.collapse_shape %k_b [[0, 1], [2], [3]] : tensor<1x8x16x128xf32> into tensor<8x16x128xf32>
    %qk_init = tensor.empty() : tensor<8x128x128xf32>
    %qk_fill = linalg.fill ins(%zero : f32) outs(%qk_init : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %qk = linalg.batch_matmul ins(%q3, %k3 : tensor<8x128x16xf32>, tensor<8x16x128xf32>) outs(%qk_fill : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
    %qk4 = tensor.expand_shape %qk [[0, 1], [2], [3]] output_shape [1, 8, 128, 128] : tensor<8x128x128xf32> into tensor<1x8x128x128xf32>
    %scores_init = tensor.empty() : tensor<1x8x128x128xf32>
    %scores = linalg.generic {indexing_maps = [#unit4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%qk4 : tensor<1x8x128x128xf32>) outs(%scores_init : tensor<1x8x128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %scaled = arith.divf %in0, %scale : f32
      linalg.yield %scaled : f32
    } -> tensor<1x8x128x128xf32>

    // Softmax over the keys: max, subtract, exp, sum, divide.
    %max_init = tensor.empty() : tensor<1x8x128x1xf32>
    %max_fill = linalg.fill ins(%lowest : f32) outs(%max_init : tensor<1x8x128x1xf32>) -> tensor<1x8x128x1xf32>
    %max = linalg.generic {indexing_maps = [#id4, #row4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%scores : tensor<1x8x128x128xf32>) outs(%max_fill : tensor<1x8x128x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.maximumf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x8x128x1xf32>
    %shifted_init = tensor.empty() : tensor<1x8x128x128xf32>
    %shifted = linalg.generic {indexing_maps = [#unit4, #urow4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%scores, %max : tensor<1x8x128x128xf32>, tensor<1x8x128x1xf32>) outs(%shifted_init : tensor<1x8x128x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %d = arith.subf %in0, %in1 : f32
      linalg.yield %d : f32
    } -> tensor<1x8x128x128xf32>
    %exp_init = tensor.empty() : tensor<1x8x128x128xf32>
    %exp = linalg.generic {indexing_maps = [#unit4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%shifted : tensor<1x8x128x128xf32>) outs(%exp_init : tensor<1x8x128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %e = math.exp %in0 : f32
      linalg.yield %e : f32
    } -> tensor<1x8x128x128xf32>
    %sum_init = tensor.empty() : tensor<1x8x128x1xf32>
    %sum_fill = linalg.fill ins(%zero : f32) outs(%sum_init : tensor<1x8x128x1xf32>) -> tensor<1x8x128x1xf32>
    %sum = linalg.generic {indexing_maps = [#id4, #row4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%exp : tensor<1x8x128x128xf32>) outs(%sum_fill : tensor<1x8x128x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x8x128x1xf32>
    %probs_init = tensor.empty() : tensor<1x8x128x128xf32>
    %probs = linalg.generic {indexing_maps = [#unit4, #urow4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%exp, %sum : tensor<1x8x128x128xf32>, tensor<1x8x128x1xf32>) outs(%probs_init : tensor<1x8x128x128xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %p = arith.divf %in0, %in1 : f32
      linalg.yield %p : f32
    } -> tensor<1x8x128x128xf32>

    // Context: P V, heads merged back.
    %p_b_init = tensor.empty() : tensor<1x8x128x128xf32>
    %p_b = linalg.generic {indexing_maps = [#unit4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%probs : tensor<1x8x128x128xf32>) outs(%p_b_init : tensor<1x8x128x128xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x8x128x128xf32>
    %v_b_init = tensor.empty() : tensor<1x8x128x16xf32>
    %v_b = linalg.generic {indexing_maps = [#unit4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%v_heads : tensor<1x8x128x16xf32>) outs(%v_b_init : tensor<1x8x128x16xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x8x128x16xf32>
    %p3 = tensor.collapse_shape %p_b [[0, 1], [2], [3]] : tensor<1x8x128x128xf32> into tensor<8x128x128xf32>
    %v3 = tensor.collapse_shape %v_b [[0, 1], [2], [3]] : tensor<1x8x128x16xf32> into tensor<8x128x16xf32>
    %pv_init = tensor.empty() : tensor<8x128x16xf32>
    %pv_fill = linalg.fill ins(%zero : f32) outs(%pv_init : tensor<8x128x16xf32>) -> tensor<8x128x16xf32>
    %pv = linalg.batch_matmul ins(%p3, %v3 : tensor<8x128x128xf32>, tensor<8x128x16xf32>) outs(%pv_fill : tensor<8x128x16xf32>) -> tensor<8x128x16xf32>
    %pv4 = tensor.expand_shape %pv [[0, 1], [2], [3]] output_shape [1, 8, 128, 16] : tensor<8x128x16xf32> into tensor<1x8x128x16xf32>
    %context_init = tensor.empty() : tensor<1x128x8x16xf32>
    %context = linalg.generic {indexing_maps = [#id4, #heads4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%pv4 : tensor<1x8x128x16xf32>) outs(%context_init : tensor<1x128x8x16xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<1x128x8x16xf32>
    %merged = tensor.collapse_shape %context [[0], [1], [2, 3]] : tensor<1x128x8x16xf32> into tensor<1x128x128xf32>
    return %merged : tensor<1x128x128xf32>
  }
}

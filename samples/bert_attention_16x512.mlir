// Self-attention of BERT-base for 16 sentences of 512 tokens, as a PyTorch export lowers it to linalg on
// tensors.
//
// 768 wide, 12 heads of 64; the mask is an input: 1 for a token, 0 for padding. From the model's
// definition (Devlin et al., 2018; Vaswani et al., 2017):
//
//   Q = x Wq^T + bq,  K = x Wk^T + bk,  V = x Wv^T + bv
//   y = softmax(Q K^T / sqrt(64) + (1 - mask) * lowest) V        for each sentence and head
//
// The shape of the code is the exporter's: every weight is transposed by a generic and then copied for
// each sentence, so that batch_matmul can take it; the mask is expanded to sentences x 1 x 1 x tokens and
// read through a map that holds 0 for its unit dimensions, as are the row maxima and sums of the softmax;
// heads are split and merged by reshapes and transposes.

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#transpose2 = affine_map<(d0, d1) -> (d1, d0)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#matrix3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#bias3 = affine_map<(d0, d1, d2) -> (d2)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#heads4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#swap4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#mask4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
#row4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>

module {
  func.func @forward(%hidden: tensor<16x512x768xf32>, %mask: tensor<16x512xi64>,
                     %wq: tensor<768x768xf32>, %bq: tensor<768xf32>,
                     %wk: tensor<768x768xf32>, %bk: tensor<768xf32>,
                     %wv: tensor<768x768xf32>, %bv: tensor<768xf32>) -> tensor<16x512x768xf32> {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %lowest = arith.constant -3.40282347E+38 : f32
    %scale = arith.constant 8.0 : f32

    // What is added to the scores: 0 where there is a token, the lowest number where there is none.
    %mask4 = tensor.expand_shape %mask [[0], [1, 2, 3]] output_shape [16, 1, 1, 512] : tensor<16x512xi64> into tensor<16x1x1x512xi64>
    %mask_float_init = tensor.empty() : tensor<16x1x1x512xf32>
    %mask_float = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%mask4 : tensor<16x1x1x512xi64>) outs(%mask_float_init : tensor<16x1x1x512xf32>) {
    ^bb0(%in0: i64, %out: f32):
      %f = arith.sitofp %in0 : i64 to f32
      linalg.yield %f : f32
    } -> tensor<16x1x1x512xf32>
    %padding_init = tensor.empty() : tensor<16x1x1x512xf32>
    %padding = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%mask_float : tensor<16x1x1x512xf32>) outs(%padding_init : tensor<16x1x1x512xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %d = arith.subf %one, %in0 : f32
      linalg.yield %d : f32
    } -> tensor<16x1x1x512xf32>
    %penalty_init = tensor.empty() : tensor<16x1x1x512xf32>
    %penalty = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%padding : tensor<16x1x1x512xf32>) outs(%penalty_init : tensor<16x1x1x512xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %m = arith.mulf %in0, %lowest : f32
      linalg.yield %m : f32
    } -> tensor<16x1x1x512xf32>

    // Query projection: x Wq^T + bq.
    %q_wt_init = tensor.empty() : tensor<768x768xf32>
    %q_wt = linalg.generic {indexing_maps = [#id2, #transpose2], iterator_types = ["parallel", "parallel"]}
        ins(%wq : tensor<768x768xf32>) outs(%q_wt_init : tensor<768x768xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<768x768xf32>
    %q_w_init = tensor.empty() : tensor<16x768x768xf32>
    %q_w = linalg.generic {indexing_maps = [#matrix3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%q_wt : tensor<768x768xf32>) outs(%q_w_init : tensor<16x768x768xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<16x768x768xf32>
    %q_mm_init = tensor.empty() : tensor<16x512x768xf32>
    %q_mm_fill = linalg.fill ins(%zero : f32) outs(%q_mm_init : tensor<16x512x768xf32>) -> tensor<16x512x768xf32>
    %q_mm = linalg.batch_matmul ins(%hidden, %q_w : tensor<16x512x768xf32>, tensor<16x768x768xf32>) outs(%q_mm_fill : tensor<16x512x768xf32>) -> tensor<16x512x768xf32>
    %q_init = tensor.empty() : tensor<16x512x768xf32>
    %q = linalg.generic {indexing_maps = [#id3, #bias3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%q_mm, %bq : tensor<16x512x768xf32>, tensor<768xf32>) outs(%q_init : tensor<16x512x768xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %sum = arith.addf %in0, %in1 : f32
      linalg.yield %sum : f32
    } -> tensor<16x512x768xf32>
    %q_split = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [16, 512, 12, 64] : tensor<16x512x768xf32> into tensor<16x512x12x64xf32>
    // Split the heads and move them in front of the tokens.
    %q_heads_init = tensor.empty() : tensor<16x12x512x64xf32>
    %q_heads = linalg.generic {indexing_maps = [#id4, #heads4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%q_split : tensor<16x512x12x64xf32>) outs(%q_heads_init : tensor<16x12x512x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<16x12x512x64xf32>

    // Key projection: x Wk^T + bk.
    %k_wt_init = tensor.empty() : tensor<768x768xf32>
    %k_wt = linalg.generic {indexing_maps = [#id2, #transpose2], iterator_types = ["parallel", "parallel"]}
        ins(%wk : tensor<768x768xf32>) outs(%k_wt_init : tensor<768x768xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<768x768xf32>
    %k_w_init = tensor.empty() : tensor<16x768x768xf32>
    %k_w = linalg.generic {indexing_maps = [#matrix3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%k_wt : tensor<768x768xf32>) outs(%k_w_init : tensor<16x768x768xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<16x768x768xf32>
    %k_mm_init = tensor.empty() : tensor<16x512x768xf32>
    %k_mm_fill = linalg.fill ins(%zero : f32) outs(%k_mm_init : tensor<16x512x768xf32>) -> tensor<16x512x768xf32>
    %k_mm = linalg.batch_matmul ins(%hidden, %k_w : tensor<16x512x768xf32>, tensor<16x768x768xf32>) outs(%k_mm_fill : tensor<16x512x768xf32>) -> tensor<16x512x768xf32>
    %k_init = tensor.empty() : tensor<16x512x768xf32>
    %k = linalg.generic {indexing_maps = [#id3, #bias3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%k_mm, %bk : tensor<16x512x768xf32>, tensor<768xf32>) outs(%k_init : tensor<16x512x768xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %sum = arith.addf %in0, %in1 : f32
      linalg.yield %sum : f32
    } -> tensor<16x512x768xf32>
    %k_split = tensor.expand_shape %k [[0], [1], [2, 3]] output_shape [16, 512, 12, 64] : tensor<16x512x768xf32> into tensor<16x512x12x64xf32>
    // Split the heads and move them in front of the tokens.
    %k_heads_init = tensor.empty() : tensor<16x12x512x64xf32>
    %k_heads = linalg.generic {indexing_maps = [#id4, #heads4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%k_split : tensor<16x512x12x64xf32>) outs(%k_heads_init : tensor<16x12x512x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<16x12x512x64xf32>

    // Value projection: x Wv^T + bv.
    %v_wt_init = tensor.empty() : tensor<768x768xf32>
    %v_wt = linalg.generic {indexing_maps = [#id2, #transpose2], iterator_types = ["parallel", "parallel"]}
        ins(%wv : tensor<768x768xf32>) outs(%v_wt_init : tensor<768x768xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<768x768xf32>
    %v_w_init = tensor.empty() : tensor<16x768x768xf32>
    %v_w = linalg.generic {indexing_maps = [#matrix3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%v_wt : tensor<768x768xf32>) outs(%v_w_init : tensor<16x768x768xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<16x768x768xf32>
    %v_mm_init = tensor.empty() : tensor<16x512x768xf32>
    %v_mm_fill = linalg.fill ins(%zero : f32) outs(%v_mm_init : tensor<16x512x768xf32>) -> tensor<16x512x768xf32>
    %v_mm = linalg.batch_matmul ins(%hidden, %v_w : tensor<16x512x768xf32>, tensor<16x768x768xf32>) outs(%v_mm_fill : tensor<16x512x768xf32>) -> tensor<16x512x768xf32>
    %v_init = tensor.empty() : tensor<16x512x768xf32>
    %v = linalg.generic {indexing_maps = [#id3, #bias3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%v_mm, %bv : tensor<16x512x768xf32>, tensor<768xf32>) outs(%v_init : tensor<16x512x768xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %sum = arith.addf %in0, %in1 : f32
      linalg.yield %sum : f32
    } -> tensor<16x512x768xf32>
    %v_split = tensor.expand_shape %v [[0], [1], [2, 3]] output_shape [16, 512, 12, 64] : tensor<16x512x768xf32> into tensor<16x512x12x64xf32>
    // Split the heads and move them in front of the tokens.
    %v_heads_init = tensor.empty() : tensor<16x12x512x64xf32>
    %v_heads = linalg.generic {indexing_maps = [#id4, #heads4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%v_split : tensor<16x512x12x64xf32>) outs(%v_heads_init : tensor<16x12x512x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<16x12x512x64xf32>

    // Scores: Q K^T, divided by sqrt(64), plus the mask.
    %k_t_init = tensor.empty() : tensor<16x12x64x512xf32>
    %k_t = linalg.generic {indexing_maps = [#id4, #swap4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%k_heads : tensor<16x12x512x64xf32>) outs(%k_t_init : tensor<16x12x64x512xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<16x12x64x512xf32>
    %q3 = tensor.collapse_shape %q_heads [[0, 1], [2], [3]] : tensor<16x12x512x64xf32> into tensor<192x512x64xf32>
    %k3 = tensor.collapse_shape %k_t [[0, 1], [2], [3]] : tensor<16x12x64x512xf32> into tensor<192x64x512xf32>
    %qk_init = tensor.empty() : tensor<192x512x512xf32>
    %qk_fill = linalg.fill ins(%zero : f32) outs(%qk_init : tensor<192x512x512xf32>) -> tensor<192x512x512xf32>
    %qk = linalg.batch_matmul ins(%q3, %k3 : tensor<192x512x64xf32>, tensor<192x64x512xf32>) outs(%qk_fill : tensor<192x512x512xf32>) -> tensor<192x512x512xf32>
    %qk4 = tensor.expand_shape %qk [[0, 1], [2], [3]] output_shape [16, 12, 512, 512] : tensor<192x512x512xf32> into tensor<16x12x512x512xf32>
    %scaled_init = tensor.empty() : tensor<16x12x512x512xf32>
    %scaled = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%qk4 : tensor<16x12x512x512xf32>) outs(%scaled_init : tensor<16x12x512x512xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %d = arith.divf %in0, %scale : f32
      linalg.yield %d : f32
    } -> tensor<16x12x512x512xf32>
    %scores_init = tensor.empty() : tensor<16x12x512x512xf32>
    %scores = linalg.generic {indexing_maps = [#id4, #mask4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%scaled, %penalty : tensor<16x12x512x512xf32>, tensor<16x1x1x512xf32>) outs(%scores_init : tensor<16x12x512x512xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %sum = arith.addf %in0, %in1 : f32
      linalg.yield %sum : f32
    } -> tensor<16x12x512x512xf32>

    // Softmax over the keys: max, subtract, exp, sum, divide.
    %max_init = tensor.empty() : tensor<16x12x512x1xf32>
    %max_fill = linalg.fill ins(%lowest : f32) outs(%max_init : tensor<16x12x512x1xf32>) -> tensor<16x12x512x1xf32>
    %max = linalg.generic {indexing_maps = [#id4, #row4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%scores : tensor<16x12x512x512xf32>) outs(%max_fill : tensor<16x12x512x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.maximumf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<16x12x512x1xf32>
    %shifted_init = tensor.empty() : tensor<16x12x512x512xf32>
    %shifted = linalg.generic {indexing_maps = [#id4, #row4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%scores, %max : tensor<16x12x512x512xf32>, tensor<16x12x512x1xf32>) outs(%shifted_init : tensor<16x12x512x512xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %d = arith.subf %in0, %in1 : f32
      linalg.yield %d : f32
    } -> tensor<16x12x512x512xf32>
    %exp_init = tensor.empty() : tensor<16x12x512x512xf32>
    %exp = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%shifted : tensor<16x12x512x512xf32>) outs(%exp_init : tensor<16x12x512x512xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %e = math.exp %in0 : f32
      linalg.yield %e : f32
    } -> tensor<16x12x512x512xf32>
    %sum_init = tensor.empty() : tensor<16x12x512x1xf32>
    %sum_fill = linalg.fill ins(%zero : f32) outs(%sum_init : tensor<16x12x512x1xf32>) -> tensor<16x12x512x1xf32>
    %sum = linalg.generic {indexing_maps = [#id4, #row4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%exp : tensor<16x12x512x512xf32>) outs(%sum_fill : tensor<16x12x512x1xf32>) {
    ^bb0(%in0: f32, %out: f32):
      %r = arith.addf %in0, %out : f32
      linalg.yield %r : f32
    } -> tensor<16x12x512x1xf32>
    %probs_init = tensor.empty() : tensor<16x12x512x512xf32>
    %probs = linalg.generic {indexing_maps = [#id4, #row4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%exp, %sum : tensor<16x12x512x512xf32>, tensor<16x12x512x1xf32>) outs(%probs_init : tensor<16x12x512x512xf32>) {
    ^bb0(%in0: f32, %in1: f32, %out: f32):
      %p = arith.divf %in0, %in1 : f32
      linalg.yield %p : f32
    } -> tensor<16x12x512x512xf32>

    // Context: P V, heads merged back.
    %p3 = tensor.collapse_shape %probs [[0, 1], [2], [3]] : tensor<16x12x512x512xf32> into tensor<192x512x512xf32>
    %v3 = tensor.collapse_shape %v_heads [[0, 1], [2], [3]] : tensor<16x12x512x64xf32> into tensor<192x512x64xf32>
    %pv_init = tensor.empty() : tensor<192x512x64xf32>
    %pv_fill = linalg.fill ins(%zero : f32) outs(%pv_init : tensor<192x512x64xf32>) -> tensor<192x512x64xf32>
    %pv = linalg.batch_matmul ins(%p3, %v3 : tensor<192x512x512xf32>, tensor<192x512x64xf32>) outs(%pv_fill : tensor<192x512x64xf32>) -> tensor<192x512x64xf32>
    %pv4 = tensor.expand_shape %pv [[0, 1], [2], [3]] output_shape [16, 12, 512, 64] : tensor<192x512x64xf32> into tensor<16x12x512x64xf32>
    %context_init = tensor.empty() : tensor<16x512x12x64xf32>
    %context = linalg.generic {indexing_maps = [#id4, #heads4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        ins(%pv4 : tensor<16x12x512x64xf32>) outs(%context_init : tensor<16x512x12x64xf32>) {
    ^bb0(%in0: f32, %out: f32):
      linalg.yield %in0 : f32
    } -> tensor<16x512x12x64xf32>
    %merged = tensor.collapse_shape %context [[0], [1], [2, 3]] : tensor<16x512x12x64xf32> into tensor<16x512x768xf32>
    return %merged : tensor<16x512x768xf32>
  }
}

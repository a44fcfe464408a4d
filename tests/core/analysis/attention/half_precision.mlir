// Inputs and probabilities in bf16, sums in f32.
#q = affine_map<(b, m, n, k) -> (b, m, k)>
#k = affine_map<(b, m, n, k) -> (b, n, k)>
#v = affine_map<(b, m, n, k) -> (b, k, n)>
#s = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @forward(%q: tensor<3x16x8xbf16>, %k: tensor<3x24x8xbf16>, %v: tensor<3x24x8xbf16>) -> tensor<3x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<3x16x24xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<3x16x8xbf16>, tensor<3x24x8xbf16>) outs(%sf : tensor<3x16x24xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<3x16x24xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<3x16x24xf32>) outs(%se : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
  %pe = tensor.empty() : tensor<3x16x24xbf16>
  %ph = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<3x16x24xf32>) outs(%pe : tensor<3x16x24xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<3x16x24xbf16>
  %ce = tensor.empty() : tensor<3x16x8xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x16x8xf32>) -> tensor<3x16x8xf32>
  %c = linalg.generic {indexing_maps = [#q, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%ph, %v : tensor<3x16x24xbf16>, tensor<3x24x8xbf16>) outs(%cf : tensor<3x16x8xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<3x16x8xf32>
  return %c : tensor<3x16x8xf32>
}

// One head without a batch; the causal mask from indices, keys after the query at minus infinity.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#kt = affine_map<(m, n, k) -> (n, k)>
#q = affine_map<(m, n, k) -> (m, k)>
#s = affine_map<(m, n, k) -> (m, n)>
func.func @forward(%q: tensor<40x16xf32>, %k: tensor<40x16xf32>, %v: tensor<40x16xf32>) -> tensor<40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %se = tensor.empty() : tensor<40x40xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<40x40xf32>) -> tensor<40x40xf32>
  %s0 = linalg.matmul indexing_maps = [#q, #kt, #s] ins(%q, %k : tensor<40x16xf32>, tensor<40x16xf32>) outs(%sf : tensor<40x40xf32>) -> tensor<40x40xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s0 : tensor<40x40xf32>) outs(%se : tensor<40x40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %keep = arith.cmpi sle, %j, %i : index
    %t = arith.mulf %a, %scale : f32
    %r = arith.select %keep, %t, %lowest : f32
    linalg.yield %r : f32
  } -> tensor<40x40xf32>
  %me = tensor.empty() : tensor<40xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%me : tensor<40xf32>) -> tensor<40xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%masked : tensor<40x40xf32>) outs(%m0 : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%masked, %max : tensor<40x40xf32>, tensor<40xf32>) outs(%se : tensor<40x40xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<40x40xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%me : tensor<40xf32>) -> tensor<40xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<40x40xf32>) outs(%l0 : tensor<40xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<40xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<40x40xf32>, tensor<40xf32>) outs(%se : tensor<40x40xf32>) {
  ^bb0(%a: f32, %l: f32, %o: f32):
    %r = arith.divf %a, %l : f32
    linalg.yield %r : f32
  } -> tensor<40x40xf32>
  %ce = tensor.empty() : tensor<40x16xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<40x16xf32>) -> tensor<40x16xf32>
  %c = linalg.matmul ins(%p, %v : tensor<40x40xf32>, tensor<40x16xf32>) outs(%cf : tensor<40x16xf32>) -> tensor<40x16xf32>
  return %c : tensor<40x16xf32>
}

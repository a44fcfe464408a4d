// Four values that go through memory, each for its own reason: scores that are made symmetric and looked up, and logits that are
// normalized by row.
#same = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @scores(%x: tensor<64x32xf32>, %w: tensor<64x32xf32>, %rows: tensor<64x64xi8>, %logits: tensor<32x128xf32>)
    -> (tensor<64x64xf32>, tensor<32x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %last = arith.constant 63 : index
  %swapped = tensor.empty() : tensor<32x64xf32>
  %all = tensor.empty() : tensor<64x64xf32>
  %wide = tensor.empty() : tensor<32x128xf32>
  %line = tensor.empty() : tensor<32xf32>

  %wt = linalg.transpose ins(%w : tensor<64x32xf32>) outs(%swapped : tensor<32x64xf32>) permutation = [1, 0]
  %start = linalg.fill ins(%zero : f32) outs(%all : tensor<64x64xf32>) -> tensor<64x64xf32>
  %scores = linalg.matmul ins(%x, %wt : tensor<64x32xf32>, tensor<32x64xf32>)
                          outs(%start : tensor<64x64xf32>) -> tensor<64x64xf32>
  %larger = linalg.generic {indexing_maps = [#same, #swap, #same], iterator_types = ["parallel", "parallel"]}
      ins(%scores, %scores : tensor<64x64xf32>, tensor<64x64xf32>) outs(%all : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %max = arith.maximumf %a, %b : f32
    linalg.yield %max : f32
  } -> tensor<64x64xf32>
  %squashed = linalg.tanh ins(%larger : tensor<64x64xf32>) outs(%all : tensor<64x64xf32>) -> tensor<64x64xf32>
  %picked = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<64x64xi8>) outs(%all : tensor<64x64xf32>) {
  ^bb0(%row: i8, %out: f32):
    %i = arith.index_castui %row : i8 to index
    %inside = arith.minui %i, %last : index
    %j = linalg.index 1 : index
    %value = tensor.extract %squashed[%inside, %j] : tensor<64x64xf32>
    linalg.yield %value : f32
  } -> tensor<64x64xf32>

  %grown = linalg.exp ins(%logits : tensor<32x128xf32>) outs(%wide : tensor<32x128xf32>) -> tensor<32x128xf32>
  %none = linalg.fill ins(%zero : f32) outs(%line : tensor<32xf32>) -> tensor<32xf32>
  %totals = linalg.reduce ins(%grown : tensor<32x128xf32>) outs(%none : tensor<32xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %next = arith.addf %in, %out : f32
      linalg.yield %next : f32
    }
  %spread = linalg.broadcast ins(%totals : tensor<32xf32>) outs(%wide : tensor<32x128xf32>) dimensions = [1]
  %share = linalg.div ins(%grown, %spread : tensor<32x128xf32>, tensor<32x128xf32>)
                      outs(%wide : tensor<32x128xf32>) -> tensor<32x128xf32>
  return %picked, %share : tensor<64x64xf32>, tensor<32x128xf32>
}

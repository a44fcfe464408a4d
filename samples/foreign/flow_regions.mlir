// The dispatches of a fused scale, product and bias, before they are outlined: one still a region,
// one with workgroups that see their bindings (flow phase).

util.func public @scaled(%x_view: !hal.buffer_view, %w_view: !hal.buffer_view, %bias_view: !hal.buffer_view) -> !hal.buffer_view {
  %half = arith.constant 5.000000e-01 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %x = hal.tensor.import %x_view "x" : !hal.buffer_view -> tensor<64x96xf32>
  %w = hal.tensor.import %w_view "w" : !hal.buffer_view -> tensor<96x48xf32>
  %bias = hal.tensor.import %bias_view "bias" : !hal.buffer_view -> tensor<48xf32>
  %scaled = flow.dispatch.region -> (tensor<64x96xf32>) {
    %e = tensor.empty() : tensor<64x96xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %m = arith.mulf %in, %half : f32
      linalg.yield %m : f32
    } -> tensor<64x96xf32>
    flow.return %s : tensor<64x96xf32>
  }
  %c64 = arith.constant 64 : index
  %c48 = arith.constant 48 : index
  %product = flow.dispatch.workgroups[%c64, %c48](%scaled, %w, %bias) : (tensor<64x96xf32>, tensor<96x48xf32>, tensor<48xf32>) -> tensor<64x48xf32> =
      (%a: !flow.dispatch.tensor<readonly:tensor<64x96xf32>>, %b: !flow.dispatch.tensor<readonly:tensor<96x48xf32>>, %c: !flow.dispatch.tensor<readonly:tensor<48xf32>>, %d: !flow.dispatch.tensor<writeonly:tensor<64x48xf32>>) {
    %la = flow.dispatch.tensor.load %a, offsets = [0, 0], sizes = [64, 96], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<64x96xf32>> -> tensor<64x96xf32>
    %lb = flow.dispatch.tensor.load %b, offsets = [0, 0], sizes = [96, 48], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<96x48xf32>> -> tensor<96x48xf32>
    %lc = flow.dispatch.tensor.load %c, offsets = [0], sizes = [48], strides = [1] : !flow.dispatch.tensor<readonly:tensor<48xf32>> -> tensor<48xf32>
    %e = tensor.empty() : tensor<64x48xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
    %m = linalg.matmul ins(%la, %lb : tensor<64x96xf32>, tensor<96x48xf32>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m, %lc : tensor<64x48xf32>, tensor<48xf32>) outs(%e : tensor<64x48xf32>) {
    ^bb0(%in: f32, %row: f32, %out: f32):
      %s = arith.addf %in, %row : f32
      linalg.yield %s : f32
    } -> tensor<64x48xf32>
    flow.dispatch.tensor.store %r, %d, offsets = [0, 0], sizes = [64, 48], strides = [1, 1] : tensor<64x48xf32> -> !flow.dispatch.tensor<writeonly:tensor<64x48xf32>>
    flow.return
  } count(%w0: index, %w1: index) -> (index, index, index) {
    %cx, %cy, %cz = flow.dispatch.workgroup_count_from_dag_root %w0, %w1
    flow.return %cx, %cy, %cz : index, index, index
  }
  %out = hal.tensor.export %product "y" : tensor<64x48xf32> -> !hal.buffer_view
  util.return %out : !hal.buffer_view
}

// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-fuse-producers))'

// expected-remark @below {{nothing to fuse into: this dispatch has no loop over workgroups; run fuselage-tile-to-workgroups first}}
func.func @not_tiled(%x: tensor<64xf32>) -> tensor<64xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%x : tensor<64xf32>) outs(%init : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

#map = affine_map<(d0) -> (d0 * 16)>
func.func @escapes_before_the_loop(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<4x16xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<64xf32>
  // expected-remark @below {{linalg.exp gets a loop over workgroups of its own: its value is needed as a whole}}
  %e = linalg.exp ins(%x : tensor<64xf32>) outs(%init : tensor<64xf32>) -> tensor<64xf32>
  %early = tensor.expand_shape %e [[0, 1]] output_shape [4, 16] : tensor<64xf32> into tensor<4x16xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %init) -> (tensor<64xf32>) {
    %at = affine.apply #map(%i)
    %tile = tensor.extract_slice %e[%at] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %out = tensor.extract_slice %o[%at] [16] [1] : tensor<64xf32> to tensor<16xf32>
    %n = linalg.negf ins(%tile : tensor<16xf32>) outs(%out : tensor<16xf32>) -> tensor<16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%at] [16] [1] : tensor<16xf32> into tensor<64xf32>
    }
  } {mapping = [#gpu.block<x>]}
  return %r, %early : tensor<64xf32>, tensor<4x16xf32>
}

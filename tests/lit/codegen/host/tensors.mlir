// Tensors, as the host's kernels want them.
// RUN: fuselage-opt --fuselage-host-inline-dispatches --fuselage-host-legalize-tensors %s | FileCheck %s --check-prefix=INLINE
// RUN: fuselage-opt --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<language = host, subgroup_size = 8, registers_per_thread = 128, compute_units = 2, first_cache_bytes = 32768, second_cache_bytes = 524288>'},fuselage-host-block-rows)" %s | FileCheck %s --check-prefix=BLOCKS
// RUN: fuselage-opt --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<language = host, subgroup_size = 8, registers_per_thread = 128, compute_units = 4, first_cache_bytes = 32768, second_cache_bytes = 524288>'},fuselage-host-split-reductions)" %s | FileCheck %s --check-prefix=SPLIT
// RUN: fuselage-opt --fuselage-host-protect-arguments %s | FileCheck %s --check-prefix=PROTECT

// PROTECT-LABEL: func.func @concat(%{{.+}}: tensor<4xf32> {bufferization.writable = false}
// INLINE-LABEL: func.func @concat
//   INLINE-NOT:   flow.dispatch.region
//   INLINE-NOT:   tensor.concat
//        INLINE:   tensor.insert_slice
func.func @concat(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %r = flow.dispatch.region -> (tensor<8xf32>) {
    %c = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    flow.return %c : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A row's maximum and what is made of it share a loop over blocks of rows.
// BLOCKS-LABEL: func.func @rows
//       BLOCKS:   scf.forall
//       BLOCKS:     linalg.generic
//       BLOCKS:     linalg.generic
//       BLOCKS:     scf.forall.in_parallel
func.func @rows(%a: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4096xf32>
  %o = tensor.empty() : tensor<4096x1024xf32>
  %i = linalg.fill ins(%low : f32) outs(%e : tensor<4096xf32>) -> tensor<4096xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4096x1024xf32>) outs(%i : tensor<4096xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.maximumf %x, %s : f32
    linalg.yield %t : f32
  } -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %m : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%o : tensor<4096x1024xf32>) {
  ^bb0(%x: f32, %s: f32, %out: f32):
    %t = arith.subf %x, %s : f32
    linalg.yield %t : f32
  } -> tensor<4096x1024xf32>
  return %r : tensor<4096x1024xf32>
}

// One result would keep one of four threads busy.
// SPLIT-LABEL: func.func @long
//       SPLIT:   linalg.generic
//  SPLIT-SAME:     iterator_types = ["parallel", "reduction"]
//       SPLIT:   linalg.generic
func.func @long(%a: tensor<1048576xf32>, %b: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%a : tensor<1048576xf32>) outs(%b : tensor<f32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %x, %s : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// What tile-and-fuse fuses is unlocked by trying: a loop over tiles and its reader, changes of layout, a contraction in groups and
// what sums them up.
// RUN: split-file %s %t
// RUN: fuselage explain %t/forall.mlir | FileCheck %s --check-prefix=FORALL
// RUN: fuselage fuse %t/forall.mlir --edge 2:10 -o %t/loop.mlir | FileCheck %s --check-prefix=EDGE
// RUN: FileCheck %s --check-prefix=INLOOP --input-file=%t/loop.mlir
// RUN: fuselage explain %t/regions.mlir | FileCheck %s --check-prefix=REGIONS
// RUN: fuselage fuse %t/regions.mlir --edge 3:9 -o %t/region.mlir | FileCheck %s --check-prefix=ONE
// RUN: fuselage explain %t/unpack.mlir --all | FileCheck %s --check-prefix=UNPACK
// RUN: fuselage explain %t/unpack.mlir --policy aggressive{packing=false} | FileCheck %s --check-prefix=LAYOUT
// RUN: fuselage explain %t/groups.mlir | FileCheck %s --check-prefix=GROUPS
// RUN: fuselage fuse %t/groups.mlir --edge 14:21 -o %t/fused.mlir | FileCheck %s --check-prefix=ONE
// RUN: fuselage run %t/fused.mlir --device vulkan:0 2>&1 | FileCheck %s --check-prefix=RAN

// FORALL: 2 dispatches
// FORALL: scf.forall {{.*}} NON_FUSABLE_OP/CONTROL_FLOW fuse-into-loops
// FORALL: NON_FUSABLE_OP/CONTROL_FLOW: A loop or a branch stands between the two computations.
// EDGE: 1. fuselage-fuse-into-loops against CONTROL_FLOW, 1 dispatch
// EDGE: ok
// INLOOP: scf.forall
// INLOOP: linalg.exp
// INLOOP: linalg.add ins({{.*}}tensor<16x64xf32>
// INLOOP-NOT: linalg.add

// UNPACK: 1 dispatch;
// UNPACK: linalg.generic {{.*}} linalg.unpack {{.*}} SAME_DISPATCH
// LAYOUT: 2 dispatches;
// LAYOUT: NOT_GENERIC fuse-packing

// REGIONS: IN_OTHER_DISPATCH fuse-dispatches
// REGIONS: IN_OTHER_DISPATCH: The two ops already belong to different dispatches (3 to 9: it is linalg.add; written through (d0, d1) -> (d0, d1); read through (d0, d1) -> (d0, d1)).

// GROUPS: 2 dispatches;
// GROUPS: CONSUMER_HAS_REDUCTION fuse-tiles
// ONE: dispatches: 2 before, 1 after
// ONE: ok
// RAN: ok

//--- forall.mlir
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %t = scf.forall (%i) = (0) to (64) step (16) shared_outs(%s = %o) -> (tensor<64x64xf32>) {
    %x = tensor.extract_slice %a[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %y = tensor.extract_slice %s[%i, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
    %z = linalg.exp ins(%x : tensor<16x64xf32>) outs(%y : tensor<16x64xf32>) -> tensor<16x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %s[%i, 0] [16, 64] [1, 1] : tensor<16x64xf32> into tensor<64x64xf32>
    }
  }
  %r = linalg.add ins(%t, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%o : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

//--- regions.mlir
func.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = flow.dispatch.region -> (tensor<64x64xf32>) {
    %2 = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    flow.return %2 : tensor<64x64xf32>
  }
  %1 = flow.dispatch.region -> (tensor<64x64xf32>) {
    %3 = linalg.add ins(%0, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    flow.return %3 : tensor<64x64xf32>
  }
  return %1 : tensor<64x64xf32>
}

//--- unpack.mlir
#a = affine_map<(i, j, k, ii, jj, kk) -> (i, k, ii, kk)>
#b = affine_map<(i, j, k, ii, jj, kk) -> (j, k, kk, jj)>
#c = affine_map<(i, j, k, ii, jj, kk) -> (i, j, ii, jj)>
func.func @f(%x: tensor<4x4x16x16xf32>, %y: tensor<4x4x16x16xf32>, %c: tensor<4x4x16x16xf32>, %o: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x4x16x16xf32>, tensor<4x4x16x16xf32>) outs(%c : tensor<4x4x16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %m, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x4x16x16xf32>
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %o : tensor<4x4x16x16xf32> -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

//--- groups.mlir
#A = affine_map<(m, n, g, k) -> (m, g, k)>
#B = affine_map<(m, n, g, k) -> (n, g, k)>
#C = affine_map<(m, n, g, k) -> (m, n, g)>
#i = affine_map<(m, n, g) -> (m, n, g)>
#s = affine_map<(m, n, g) -> (n, g)>
#r = affine_map<(m, n, g) -> (m, n)>
func.func @f(%x: tensor<16x8x32xi8>, %w: tensor<64x8x32xi8>, %sc: tensor<64x8xf32>) -> tensor<16x64xf32> {
  %z = arith.constant 0 : i32
  %zf = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64x8xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<16x64x8xi32>) -> tensor<16x64x8xi32>
  %d = linalg.generic {indexing_maps = [#A, #B, #C], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<16x8x32xi8>, tensor<64x8x32xi8>) outs(%f : tensor<16x64x8xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %o : i32
    linalg.yield %4 : i32
  } -> tensor<16x64x8xi32>
  %es = tensor.empty() : tensor<16x64x8xf32>
  %q = linalg.generic {indexing_maps = [#i, #s, #i], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%d, %sc : tensor<16x64x8xi32>, tensor<64x8xf32>) outs(%es : tensor<16x64x8xf32>) {
  ^bb0(%a: i32, %b: f32, %o: f32):
    %1 = arith.sitofp %a : i32 to f32
    %2 = arith.mulf %1, %b : f32
    linalg.yield %2 : f32
  } -> tensor<16x64x8xf32>
  %er = tensor.empty() : tensor<16x64xf32>
  %fr = linalg.fill ins(%zf : f32) outs(%er : tensor<16x64xf32>) -> tensor<16x64xf32>
  %y = linalg.generic {indexing_maps = [#i, #r], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q : tensor<16x64x8xf32>) outs(%fr : tensor<16x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<16x64xf32>
  return %y : tensor<16x64xf32>
}

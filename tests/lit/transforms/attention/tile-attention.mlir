// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 1, workgroup_bytes = 49152, matrix_shapes = [\"m16n8k16 f16\", \"m16n8k16 bf16\"]>'},func.func(fuselage-fuse-attention,canonicalize,fuselage-tile-attention))" | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 1, workgroup_bytes = 20000>'},func.func(fuselage-fuse-attention,canonicalize,fuselage-tile-attention))" | FileCheck %s --check-prefix=SCALAR
// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-fuse-attention,canonicalize,fuselage-tile-attention))' | FileCheck %s --check-prefix=USUAL
// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-fuse-attention{query-tile=16 key-tile=48},canonicalize,fuselage-tile-attention))' | FileCheck %s --check-prefix=ASKED
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 1, workgroup_bytes = 20000, matrix_shapes = [\"m16n8k16 f16\"]>'},func.func(fuselage-fuse-attention,canonicalize,fuselage-tile-attention))" | FileCheck %s --check-prefix=LITTLE
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 100, workgroup_bytes = 49152, matrix_shapes = [\"m16n8k16 f16\"]>'},func.func(fuselage-fuse-attention,canonicalize,fuselage-tile-attention))" | FileCheck %s --check-prefix=UNITS
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 4, workgroup_bytes_opt_in = 166912, unit_workgroup_bytes = 167936>'},func.func(fuselage-fuse-attention,canonicalize,fuselage-tile-attention))" | FileCheck %s --check-prefix=OWN
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 4, workgroup_bytes_opt_in = 166912, unit_workgroup_bytes = 167936, matrix_shapes = [\"m16n8k16 f16\", \"m16n8k8 tf32\"]>'},func.func(fuselage-fuse-attention,canonicalize,fuselage-tile-attention))" | FileCheck %s --check-prefix=TF32

// Whole instructions: 64 queries and 64 keys. The queries are read once, and every step has a tile of the same size: the last one
// starts earlier, and what it repeats counts nothing. Nor do the last queries, which another workgroup stores.
// CHECK-LABEL: func.func @uneven
// CHECK:         scf.forall (%{{.*}}, %[[BLOCK:[a-z0-9]+]]) in (2, 3)
// CHECK-DAG:       affine.min {{.*}}(%[[BLOCK]])
// CHECK-DAG:       %[[SKIPPED:.*]] = affine.max {{.*}}(%[[BLOCK]])
// CHECK:           tensor.extract_slice {{.*}} : tensor<2x149x32xf16> to tensor<64x32xf16>
// CHECK:           scf.for %[[STEP:[a-z0-9]+]] = {{.*}} -> (tensor<64xf32>, tensor<64xf32>, tensor<64x16xf32>)
// CHECK:             %[[REPEATED:.*]] = affine.max {{.*}}(%[[STEP]])
// CHECK:             linalg.generic {{.*}} outs(%{{.*}} : tensor<64x64xf32>)
// CHECK:             %[[KEY:.*]] = linalg.index 1
// CHECK-NEXT:        %[[NEW:.*]] = arith.cmpi uge, %[[KEY]], %[[REPEATED]]
// CHECK-NEXT:        arith.select %[[NEW]], %{{.*}}, %{{.*}} : f32
// CHECK:             arith.maximumf
// CHECK:           tensor.extract_slice %{{.*}}[%[[SKIPPED]], 0]
// CHECK:           tensor.parallel_insert_slice

// Without a device the last tile is smaller.
// USUAL-LABEL: func.func @uneven
// USUAL:         scf.forall {{.*}} in (2, 5)
// USUAL:           scf.for {{.*}} -> (tensor<?xf32>, tensor<?xf32>, tensor<?x16xf32>)
// USUAL:             linalg.generic {{.*}} outs(%{{.*}} : tensor<?x?xf32>)

// Tiles that somebody asks for have one size.
// ASKED-LABEL: func.func @uneven
// ASKED:         scf.forall {{.*}} in (2, 10)
// ASKED:           scf.for {{.*}} -> (tensor<16xf32>, tensor<16xf32>, tensor<16x16xf32>)
// ASKED:             linalg.generic {{.*}} outs(%{{.*}} : tensor<16x48xf32>)

// So have the usual ones, on a device that would choose, but has no instructions for these types.
// SCALAR-LABEL: func.func @uneven
// SCALAR:         scf.forall {{.*}} in (2, 5)
// SCALAR:           scf.for {{.*}} -> (tensor<32xf32>, tensor<32xf32>, tensor<32x16xf32>)
// SCALAR:             linalg.generic {{.*}} outs(%{{.*}} : tensor<32x32xf32>)

// As many keys as fit.
// LITTLE-LABEL: func.func @uneven
// LITTLE:         scf.for {{.*}} -> (tensor<64xf32>, tensor<64xf32>, tensor<64x16xf32>)
// LITTLE:           linalg.generic {{.*}} outs(%{{.*}} : tensor<64x48xf32>)

// Fewer queries where there would be too few workgroups.
// UNITS-LABEL: func.func @uneven
// UNITS:         scf.forall {{.*}} in (2, 5)
// UNITS:           scf.for {{.*}} -> (tensor<32xf32>, tensor<32xf32>, tensor<32x16xf32>)
// UNITS:             linalg.generic {{.*}} outs(%{{.*}} : tensor<32x64xf32>)

#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#v = affine_map<(b, i, j, k) -> (b, k, j)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @uneven(%q: tensor<2x149x32xf16>, %k: tensor<2x179x32xf16>, %v: tensor<2x179x16xf16>) -> tensor<2x149x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x149x179xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x149x179xf32>) -> tensor<2x149x179xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x149x32xf16>, tensor<2x179x32xf16>) outs(%fs : tensor<2x149x179xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %z = arith.mulf %x, %y : f32
    %t = arith.addf %c, %z : f32
    linalg.yield %t : f32
  } -> tensor<2x149x179xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x149x179xf32>) outs(%es : tensor<2x149x179xf32>) -> tensor<2x149x179xf32>
  %eh = tensor.empty() : tensor<2x149x179xf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p : tensor<2x149x179xf32>) outs(%eh : tensor<2x149x179xf16>) {
  ^bb0(%a: f32, %b: f16):
    %x = arith.truncf %a : f32 to f16
    linalg.yield %x : f16
  } -> tensor<2x149x179xf16>
  %e = tensor.empty() : tensor<2x149x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x149x16xf32>) -> tensor<2x149x16xf32>
  %o = linalg.generic {indexing_maps = [#q, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%h, %v : tensor<2x149x179xf16>, tensor<2x179x16xf16>) outs(%f : tensor<2x149x16xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %z = arith.mulf %x, %y : f32
    %t = arith.addf %c, %z : f32
    linalg.yield %t : f32
  } -> tensor<2x149x16xf32>
  return %o : tensor<2x149x16xf32>
}

// -----

// The scores exist tile by tile only. The loop carries the maximum and the sum of each row, and the context.
// USUAL-LABEL: func.func @even
// USUAL-NOT:     tensor<2x64x96xf32>
// USUAL:         flow.dispatch.region -> (tensor<2x64x16xf32>)
// USUAL:           scf.forall (%{{.*}}, %{{.*}}) in (2, 2)
// USUAL:             scf.for {{.*}} iter_args({{.*}}) -> (tensor<32xf32>, tensor<32xf32>, tensor<32x16xf32>)
// USUAL:               linalg.generic {{.*}} outs(%{{.*}} : tensor<32x32xf32>)
// USUAL:               arith.maximumf
// USUAL:               math.exp
// USUAL:               scf.yield
// USUAL:             arith.divf
// USUAL:             tensor.parallel_insert_slice
// USUAL:           mapping = [#gpu.block<y>, #gpu.block<x>]
func.func @even(%q: tensor<2x64x8xf32>, %k: tensor<2x8x96xf32>, %v: tensor<2x96x16xf32>) -> tensor<2x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x64x96xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x64x8xf32>, tensor<2x8x96xf32>) outs(%fs : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x64x96xf32>) outs(%es : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %e = tensor.empty() : tensor<2x64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x64x96xf32>, tensor<2x96x16xf32>) outs(%f : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  return %r : tensor<2x64x16xf32>
}

// -----

// The keys are the places of a grid: the first of its dimensions is cut. Results are stored in the order and type of the
// destination.
// USUAL-LABEL: func.func @keys_of_grid
// USUAL:         scf.forall {{.*}} shared_outs(%{{.*}}) -> (tensor<16x64xf16>)
// USUAL:           scf.for
// USUAL:             tensor.extract_slice %{{.*}}[%{{.*}}, 0, 0] [{{.*}}, 12, 8]
// USUAL:             linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "reduction"]
// USUAL:           arith.divf
// USUAL-NEXT:      arith.truncf
// USUAL-NOT:     flow.attention
#q = affine_map<(q, x, y, d, n) -> (q, d)>
#k = affine_map<(q, x, y, d, n) -> (x, y, d)>
#v = affine_map<(q, x, y, d, n) -> (x, y, n)>
#r = affine_map<(q, x, y, d, n) -> (n, q)>
func.func @keys_of_grid(%q: tensor<64x8xf32>, %k: tensor<24x12x8xf32>, %v: tensor<24x12x16xf32>, %e: tensor<16x64xf16>) -> tensor<16x64xf16> {
  %r = flow.attention {indexing_maps = [#q, #k, #v, #r], key_dims = array<i64: 1, 2>}
      queries(%q : tensor<64x8xf32>) keys(%k : tensor<24x12x8xf32>) values(%v : tensor<24x12x16xf32>)
      outs(%e : tensor<16x64xf16>) scores {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %o, %m : f32
    flow.return %n : f32
  } context {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %o, %m : f32
    flow.return %n : f32
  } -> tensor<16x64xf16>
  return %r : tensor<16x64xf16>
}

// -----

// Positions of scores are those in all of them, queries are computed once for all keys.
// USUAL-LABEL: func.func @causal
// USUAL:         scf.forall (%[[BLOCK:.*]]) in (2)
// USUAL:           %[[ROW:.*]] = affine.apply #{{.*}}(%[[BLOCK]])
// USUAL:           %[[QUERIES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<32x8xf32>)
// USUAL:             arith.mulf
// USUAL:           scf.for %[[STEP:[a-z0-9]+]] =
// USUAL:             %[[COLUMN:.*]] = affine.apply #{{.*}}(%[[STEP]])
// USUAL:             linalg.generic {{.*}} ins(%[[QUERIES]], %{{.*}} : tensor<32x8xf32>, tensor<32x8xf32>)
// USUAL:             %[[I:.*]] = linalg.index 0
// USUAL-NEXT:        %[[QUERY:.*]] = arith.addi %[[ROW]], %[[I]]
// USUAL-NEXT:        %[[J:.*]] = linalg.index 1
// USUAL-NEXT:        %[[KEY:.*]] = arith.addi %[[COLUMN]], %[[J]]
// USUAL-NEXT:        arith.cmpi uge, %[[QUERY]], %[[KEY]]
// USUAL:             math.exp2
#cq = affine_map<(i, j, d, n) -> (i, d)>
#ck = affine_map<(i, j, d, n) -> (j, d)>
#cv = affine_map<(i, j, d, n) -> (j, n)>
#cr = affine_map<(i, j, d, n) -> (i, n)>
#cs = affine_map<(i, j, d, n) -> (d)>
func.func @causal(%q: tensor<64x8xf32>, %scale: tensor<8xf32>, %k: tensor<96x8xf32>, %v: tensor<96x16xf32>) -> tensor<64x16xf32> {
  %e = tensor.empty() : tensor<64x16xf32>
  %low = arith.constant 0xFF800000 : f32
  %r = flow.attention {indexing_maps = [#cq, #cs, #ck, #cv, #cr], key_dims = array<i64: 1>, powers_of_two}
      queries(%q, %scale : tensor<64x8xf32>, tensor<8xf32>) keys(%k : tensor<96x8xf32>) values(%v : tensor<96x16xf32>)
      outs(%e : tensor<64x16xf32>) queries {
  ^bb0(%a: f32, %b: f32):
    %m = arith.mulf %a, %b : f32
    flow.return %m : f32
  } scores {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %o, %m : f32
    flow.return %n : f32
  } logits {
  ^bb0(%s: f32, %i: index, %j: index):
    %c = arith.cmpi uge, %i, %j : index
    %m = arith.select %c, %s, %low : f32
    flow.return %m : f32
  } context {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %o, %m : f32
    flow.return %n : f32
  } -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}

// -----

// A loop over workgroups stays as it is.
// CHECK-LABEL: func.func @other
// CHECK:         scf.forall (%{{.*}}) in (4)
// CHECK:           linalg.exp {{.*}} outs(%{{.*}} : tensor<32xf32>)
func.func @other(%a: tensor<128xf32>) -> tensor<128xf32> {
  %r = flow.dispatch.region -> (tensor<128xf32>) {
    %e = tensor.empty() : tensor<128xf32>
    %f = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<128xf32>) {
      %start = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %s = tensor.extract_slice %a[%start] [32] [1] : tensor<128xf32> to tensor<32xf32>
      %t = tensor.empty() : tensor<32xf32>
      %x = linalg.exp ins(%s : tensor<32xf32>) outs(%t : tensor<32xf32>) -> tensor<32xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %x into %o[%start] [32] [1] : tensor<32xf32> into tensor<128xf32>
      }
    } {mapping = [#gpu.block<x>]}
    flow.return %f : tensor<128xf32>
  }
  return %r : tensor<128xf32>
}

// -----

// Threads that multiply and add themselves: with 256 queries and 64 keys each of 256 threads has 8 by 8 scores and 8 by 8 results, 16
// multiply-adds for 16 bytes of workgroup memory. Where instructions take tf32, tiles stay as they are.
// OWN-LABEL: func.func @plain
// OWN:         scf.forall {{.*}} in (16, 2)
// OWN:           scf.for {{.*}} -> (tensor<256xf32>, tensor<256xf32>, tensor<256x64xf32>)
// OWN:             linalg.generic {{.*}} outs(%{{.*}} : tensor<256x64xf32>)
// TF32-LABEL: func.func @plain
// TF32:         scf.for {{.*}} -> (tensor<32xf32>, tensor<32xf32>, tensor<32x64xf32>)
#q = affine_map<(b, i, j, k) -> (b, i, k)>
#k = affine_map<(b, i, j, k) -> (b, j, k)>
#v = affine_map<(b, i, j, k) -> (b, k, j)>
#s = affine_map<(b, i, j, k) -> (b, i, j)>
func.func @plain(%q: tensor<16x512x64xf32>, %k: tensor<16x512x64xf32>, %v: tensor<16x512x64xf32>) -> tensor<16x512x64xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<16x512x512xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<16x512x512xf32>) -> tensor<16x512x512xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<16x512x64xf32>, tensor<16x512x64xf32>) outs(%fs : tensor<16x512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %z = arith.mulf %a, %b : f32
    %t = arith.addf %c, %z : f32
    linalg.yield %t : f32
  } -> tensor<16x512x512xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<16x512x512xf32>) outs(%es : tensor<16x512x512xf32>) -> tensor<16x512x512xf32>
  %e = tensor.empty() : tensor<16x512x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x512x64xf32>) -> tensor<16x512x64xf32>
  %o = linalg.generic {indexing_maps = [#q, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<16x512x512xf32>, tensor<16x512x64xf32>) outs(%f : tensor<16x512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %z = arith.mulf %a, %b : f32
    %t = arith.addf %c, %z : f32
    linalg.yield %t : f32
  } -> tensor<16x512x64xf32>
  return %o : tensor<16x512x64xf32>
}

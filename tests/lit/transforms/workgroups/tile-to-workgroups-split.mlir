// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 132>'},func.func(fuselage-tile-to-workgroups))" | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255>'},func.func(fuselage-tile-to-workgroups))" 2>&1 | FileCheck %s --check-prefix=NOT

// Four tiles leave most of 132 multiprocessors idle: 32 workgroups split the K dimension of each. Elementwise users of the product come
// after the op that combines the partial results in order.
// CHECK-LABEL: func.func @deep
// CHECK:         %[[PARTS:.+]] = scf.forall (%[[S:.+]], %{{.+}}, %{{.+}}) in (32, 2, 2) shared_outs(%[[OUT:.+]] = %{{.+}}) -> (tensor<32x128x128xf32>)
// CHECK:           %[[ZERO:.+]] = linalg.fill {{.*}} -> tensor<64x64xf32>
// CHECK:           %[[PART:.+]] = linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 16>, split = array<i64: 0, 0, 256>, workgroup = array<i64: 64, 64, 0>}}
// CHECK-SAME:        ins({{.*}} : tensor<64x256xf32>, tensor<256x64xf32>) outs(%[[ZERO]] : tensor<64x64xf32>)
// CHECK:           tensor.parallel_insert_slice %[[PART]] into %[[OUT]][%[[S]], %{{.+}}, %{{.+}}] [1, 64, 64] [1, 1, 1] : tensor<64x64xf32> into tensor<32x128x128xf32>
// CHECK:         } {fuselage.splits = 32 : i64
// CHECK:         %[[SUM:.+]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%[[PARTS]] : tensor<32x128x128xf32>)
// CHECK:         scf.forall (%{{.+}}) in (128)
// CHECK:           tensor.extract_slice %[[SUM]]
// CHECK:           linalg.exp
// NOT-LABEL:   func.func @deep
// NOT-NOT:       fuselage.splits
func.func @deep(%a: tensor<128x8192xf32>, %b: tensor<8192x128xf32>) -> tensor<128x128xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  // expected-remark @below {{its K dimension of 8192 is split among 32 workgroups a tile: 4 tiles leave much of 132 multiprocessors idle; a kernel after it adds up their partial results, 2097152 bytes}}
  %r = linalg.matmul ins(%a, %b : tensor<128x8192xf32>, tensor<8192x128xf32>) outs(%f : tensor<128x128xf32>) -> tensor<128x128xf32>
  %x = linalg.exp ins(%r : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %x : tensor<128x128xf32>
}

// -----

// If K is short, or all multiprocessors have a tile, split-K does not pay off.
// CHECK-LABEL: func.func @shallow
// CHECK-NOT:     fuselage.splits
func.func @shallow(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {fuselage.dispatch = 0 : i64} {
  %r = linalg.matmul ins(%a, %b : tensor<128x128xf32>, tensor<128x128xf32>) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}

// -----

// CHECK-LABEL: func.func @wide
// CHECK-NOT:     fuselage.splits
func.func @wide(%a: tensor<2048x8192xf32>, %b: tensor<8192x2048xf32>, %c: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> attributes {fuselage.dispatch = 0 : i64} {
  %r = linalg.matmul ins(%a, %b : tensor<2048x8192xf32>, tensor<8192x2048xf32>) outs(%c : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %r : tensor<2048x2048xf32>
}

// -----

// Producers are computed for each split, and the initial accumulator counts once.
// CHECK-LABEL: func.func @requested(
// CHECK-SAME:    %[[C:[a-z0-9]+]]: tensor<32x48xf32>)
// CHECK:         %[[PARTS:.+]] = scf.forall (%{{.+}}, %{{.+}}) in (4, 2)
// CHECK:           linalg.exp {{.*}} -> tensor<32x64xf32>
// CHECK:           linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 16>, split = array<i64: 0, 0, 64>, workgroup = array<i64: 0, 24, 0>}}
// CHECK:         scf.forall (%[[ROWS:.+]]) in (16) shared_outs(%[[SUM:.+]] = %[[C]])
// CHECK-DAG:       %[[IN:.+]] = tensor.extract_slice %[[PARTS]][0, %{{.+}}, 0] [4, 2, 48]
// CHECK-DAG:       %[[INTO:.+]] = tensor.extract_slice %[[SUM]]
// CHECK:           linalg.generic {{.*}} ins(%[[IN]] : tensor<4x2x48xf32>) outs(%[[INTO]] : tensor<2x48xf32>)
// NOT-LABEL:   func.func @requested(
// NOT:           fuselage.splits = 4 : i64
func.func @requested(%a: tensor<32x256xf32>, %b: tensor<256x48xf32>, %c: tensor<32x48xf32>) -> tensor<32x48xf32> attributes {fuselage.dispatch = 0 : i64} {
  %e = tensor.empty() : tensor<32x256xf32>
  %x = linalg.exp ins(%a : tensor<32x256xf32>) outs(%e : tensor<32x256xf32>) -> tensor<32x256xf32>
  // expected-remark @below {{its K dimension of 256 is split among 4 workgroups a tile}}
  %r = linalg.matmul {fuselage.tiling = {split = array<i64: 0, 0, 64>, workgroup = array<i64: 32, 24, 0>}}
      ins(%x, %b : tensor<32x256xf32>, tensor<256x48xf32>) outs(%c : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %r : tensor<32x48xf32>
}

// -----

// Zeros request no split; splits of different sizes are not made.
// CHECK-LABEL: func.func @requested_none
// CHECK-NOT:     fuselage.splits
func.func @requested_none(%a: tensor<128x8192xf32>, %b: tensor<8192x128xf32>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> attributes {fuselage.dispatch = 0 : i64} {
  %r = linalg.matmul {fuselage.tiling = {split = array<i64: 0, 0, 0>}}
      ins(%a, %b : tensor<128x8192xf32>, tensor<8192x128xf32>) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
  %s = linalg.matmul {fuselage.tiling = {split = array<i64: 0, 0, 3000>}}
      ins(%a, %b : tensor<128x8192xf32>, tensor<8192x128xf32>) outs(%r : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %s : tensor<128x128xf32>
}

// -----

// A maximum starts from minus infinity; an op that accumulates by two ops cannot be split.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @other_reductions
// CHECK:         %[[LOW:.+]] = arith.constant 0xFF800000 : f32
// CHECK:         linalg.fill {{.*}}ins(%[[LOW]] : f32)
// CHECK:         fuselage.splits = 32
// CHECK:           arith.maximumf
// CHECK-NOT:     fuselage.splits
func.func @other_reductions(%x: tensor<128x8192xf32>, %y: tensor<8192x128xf32>, %i: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) attributes {fuselage.dispatch = 0 : i64} {
  // expected-remark @below {{its K dimension of 8192 is split among 32 workgroups a tile}}
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x8192xf32>, tensor<8192x128xf32>) outs(%i : tensor<128x128xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.addf %p, %q : f32
    %t = arith.maximumf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<128x128xf32>
  %z = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<128x8192xf32>, tensor<8192x128xf32>) outs(%i : tensor<128x128xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    %u = arith.mulf %t, %t : f32
    linalg.yield %u : f32
  } -> tensor<128x128xf32>
  return %r, %z : tensor<128x128xf32>, tensor<128x128xf32>
}

// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 132>'},func.func(fuselage-tile-to-workgroups))" | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 132>'},func.func(fuselage-tile-to-workgroups))" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name=lavapipe},func.func(fuselage-tile-to-workgroups))" | FileCheck %s --check-prefix=LANES

// Many rows: neighbouring threads share a row, and their partial results are combined in two steps, all in one kernel; no row is stored.
// CHECK-LABEL: func.func @many
// CHECK:         tensor.expand_shape {{.*}} : tensor<4096x1024xf32> into tensor<4096x4x2x32x4xf32>
// CHECK:         linalg.generic {{.*}}"parallel", "reduction", "parallel", "parallel", "reduction"]{{.*}} outs(%{{.+}} : tensor<4096x2x32xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.+}} : tensor<4096x32xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.+}} : tensor<4096xf32>) attrs = {{.*}}workgroup = array<i64: 2, 0>
// CHECK:         tensor.expand_shape {{.*}} : tensor<4096x1024xf32> into tensor<4096x4x2x32x4xf32>
// CHECK:           math.exp
// CHECK-NEXT:      arith.addf
// CHECK:         scf.forall (%{{.+}}) in (2048)
// CHECK:           math.exp
// CHECK-NEXT:      arith.divf
// CHECK-NOT:     scf.forall (
// LANES-LABEL: func.func @many
// LANES-NOT:     tensor.expand_shape
func.func @many(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> attributes {fuselage.dispatch = 0 : i64} {
  %e = tensor.empty() : tensor<4096x1024xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<4096x1024xf32>) outs(%e : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  return %s : tensor<4096x1024xf32>
}

// -----

// Few long rows: workgroups share each row, a second kernel combines their partial results, and a third has the elementwise ops in tiles.
// REMARK:      each of its 4 rows of 65536 is split among 32 workgroups: one a row leaves much of 132 multiprocessors idle; a kernel after them adds up their partial results
// CHECK-LABEL: func.func @few
// CHECK:         tensor.expand_shape {{.*}} : tensor<4x65536xf32> into tensor<4x32x4x4x32x4xf32>
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (4, 32)
// CHECK:         scf.forall (%{{.+}}) in (4)
// CHECK:           math.exp
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (4, 32)
// CHECK:         scf.forall (%{{.+}}) in (4)
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (4, 64)
// CHECK:           math.exp
// CHECK-NEXT:      arith.divf
// LANES-LABEL: func.func @few
// LANES:         scf.forall (%{{.+}}, %{{.+}}) in (4, 4)
// LANES:         scf.forall (%{{.+}}, %{{.+}}) in (4, 4)
// LANES:           math.exp
// LANES-NEXT:      arith.addf
// LANES:         scf.forall (%{{.+}}, %{{.+}}) in (4, 32)
// LANES:           math.exp
// LANES-NEXT:      arith.divf
func.func @few(%x: tensor<4x65536xf32>) -> tensor<4x65536xf32> attributes {fuselage.dispatch = 0 : i64} {
  %e = tensor.empty() : tensor<4x65536xf32>
  %s = linalg.softmax dimension(1) ins(%x : tensor<4x65536xf32>) outs(%e : tensor<4x65536xf32>) -> tensor<4x65536xf32>
  return %s : tensor<4x65536xf32>
}

// -----

// Rows of an odd length: the number of threads is chosen so that few iterations are left, which are added afterwards.
// CHECK-LABEL: func.func @odd
// CHECK:         tensor.extract_slice %{{.+}}[0, 0] [512, 192] [1, 1]
// CHECK:         tensor.expand_shape {{.*}} : tensor<512x192xf32> into tensor<512x4x2x24xf32>
// CHECK:         scf.forall (%{{.+}}) in (256)
// CHECK:           tensor.extract_slice %{{.+}}[%{{.+}}, 192] [2, 5] [1, 1]
func.func @odd(%x: tensor<512x197xf32>) -> tensor<512xf32> attributes {fuselage.dispatch = 0 : i64} {
  %rows = arith.constant dense<0.0> : tensor<512xf32>
  %r = linalg.reduce ins(%x : tensor<512x197xf32>) outs(%rows : tensor<512xf32>) dimensions = [1] (%a: f32, %acc: f32) {
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  }
  return %r : tensor<512xf32>
}

// -----

// Rows that a contraction computes are not in memory: they are not split. Neither are short rows, and requested sizes are kept.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     tensor<64x{{.*}}x32xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.+}} : tensor<8x32xf32>) outs(%{{.+}} : tensor<8xf32>) attrs = {{.*}}workgroup = array<i64: 8, 0>
func.func @others(%a: tensor<64x32xf32>, %b: tensor<32x128xf32>, %c: tensor<512x40xf32>, %d: tensor<512x4096xf32>) -> (tensor<64xf32>, tensor<512xf32>, tensor<512xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x128xf32>) outs(%z : tensor<64x128xf32>) -> tensor<64x128xf32>
  %few = arith.constant dense<0.0> : tensor<64xf32>
  %rows = arith.constant dense<0.0> : tensor<512xf32>
  %r = linalg.reduce ins(%p : tensor<64x128xf32>) outs(%few : tensor<64xf32>) dimensions = [1] (%x: f32, %acc: f32) {
    %u = arith.addf %acc, %x : f32
    linalg.yield %u : f32
  }
  %s = linalg.reduce ins(%c : tensor<512x40xf32>) outs(%rows : tensor<512xf32>) dimensions = [1] (%x: f32, %acc: f32) {
    %u = arith.addf %acc, %x : f32
    linalg.yield %u : f32
  }
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<512x4096xf32>) outs(%rows : tensor<512xf32>) attrs = {fuselage.tiling = {workgroup = array<i64: 8, 0>}} {
  ^bb0(%x: f32, %acc: f32):
    %u = arith.addf %acc, %x : f32
    linalg.yield %u : f32
  } -> tensor<512xf32>
  return %r, %s, %t : tensor<64xf32>, tensor<512xf32>, tensor<512xf32>
}

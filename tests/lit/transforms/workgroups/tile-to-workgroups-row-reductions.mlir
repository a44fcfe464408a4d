// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 132>'},func.func(fuselage-tile-to-workgroups))" | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name=lavapipe},func.func(fuselage-tile-to-workgroups))" | FileCheck %s --check-prefix=LANES

// A reduction of all elements: its loops become one, which workgroups share; neighbouring threads read neighbours, and a second kernel combines.
// CHECK-LABEL: func.func @all
// CHECK:         %[[FLAT:.+]] = tensor.collapse_shape %{{.+}} : tensor<4096x1024xf32> into tensor<4194304xf32>
// CHECK:         tensor.expand_shape %[[FLAT]] {{.*}} : tensor<4194304xf32> into tensor<512x16x4x32x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.+}} : tensor<512x16x4x32x4xf32>) outs(%{{.+}} : tensor<512x4x32xf32>)
// CHECK:         %[[PARTS:.+]] = scf.forall (%{{.+}}) in (512) {{.*}} -> (tensor<512xf32>)
// CHECK:         tensor.expand_shape %[[PARTS]] {{.*}} : tensor<512xf32> into tensor<16x32xf32>
// CHECK:         scf.forall (%{{.+}}) in (1)
// CHECK:           linalg.generic {{.*}}iterator_types = ["reduction"]{{.*}}fuselage.splits = 512
// LANES-LABEL: func.func @all
// LANES:         tensor.expand_shape {{.*}} : tensor<4194304xf32> into tensor<8192x512xf32>
// LANES:         scf.forall (%{{.+}}) in (16) {{.*}} -> (tensor<16x512xf32>)
func.func @all(%x: tensor<4096x1024xf32>) -> tensor<f32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<4096x1024xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// An odd number of iterations: the rest, which no number of threads divides, is added afterwards. A maximum starts from minus infinity.
// CHECK-LABEL: func.func @odd
// CHECK:         %[[MOST:.+]] = tensor.extract_slice %{{.+}}[0] [1024] [1]
// CHECK:         %[[WIDE:.+]] = tensor.expand_shape %[[MOST]] {{.*}} into tensor<8x4x32xf32>
// CHECK:         arith.constant 0xFF800000 : f32
// CHECK:         %[[PARTIAL:.+]] = linalg.generic {{.*}} ins(%[[WIDE]] : tensor<8x4x32xf32>)
// CHECK:         %[[LESS:.+]] = linalg.generic {{.*}} ins(%[[PARTIAL]] : tensor<4x32xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[LESS]] : tensor<32xf32>)
// CHECK:         %[[REST:.+]] = tensor.extract_slice %{{.+}}[1024] [3] [1]
// CHECK:         linalg.generic {{.*}} ins(%[[REST]] : tensor<3xf32>)
func.func @odd(%x: tensor<1027xf32>) -> tensor<f32> attributes {fuselage.dispatch = 0 : i64} {
  %least = arith.constant -1.0e30 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<1027xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.maximumf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Enough rows for all workgroups, or a short reduction: one kernel each.
// CHECK-LABEL: func.func @rows
// CHECK-COUNT-2: scf.forall (
// CHECK-NOT:     scf.forall (
// LANES-LABEL: func.func @rows
// LANES-NOT:     tensor.expand_shape
func.func @rows(%x: tensor<512x4096xf32>, %y: tensor<100xf32>) -> (tensor<512xf32>, tensor<f32>) attributes {fuselage.dispatch = 0 : i64} {
  %rows = arith.constant dense<0.0> : tensor<512xf32>
  %one = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.reduce ins(%x : tensor<512x4096xf32>) outs(%rows : tensor<512xf32>) dimensions = [1] (%a: f32, %acc: f32) {
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  }
  %s = linalg.reduce ins(%y : tensor<100xf32>) outs(%one : tensor<f32>) dimensions = [0] (%a: f32, %acc: f32) {
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  }
  return %r, %s : tensor<512xf32>, tensor<f32>
}

// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 132>'},func.func(fuselage-tile-to-workgroups))" | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 132>'},func.func(fuselage-tile-to-workgroups))" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A column reduction: 32 threads read 16 bytes each of 128 columns, the four subgroups of a workgroup take a row each, and workgroups split the
// rows. A second kernel combines their partial results.
// REMARK:      its rows are split among 16 workgroups: one for 128 columns leaves much of the device idle; a kernel after them adds up their partial results
// CHECK-LABEL: func.func @columns
// CHECK:         tensor.expand_shape {{.*}} : tensor<4096x4096xf32> into tensor<16x64x4x4096xf32>
// CHECK:         linalg.generic {{.*}}"parallel", "reduction", "parallel", "parallel"]{{.*}} outs(%{{.+}} : tensor<16x4x4096xf32>) attrs = {{.*}}fuselage.thread_reduction = 0
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (16, 32)
// CHECK:           linalg.generic {{.*}} ins(%{{.+}} : tensor<1x4x128xf32>) outs(%{{.+}} : tensor<1x128xf32>) attrs = {{.*}}fuselage.partial_results = 16
// CHECK:         } {fuselage.splits = 16
// CHECK:         scf.forall (%{{.+}}) in (64)
func.func @columns(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant dense<0.0> : tensor<4096xf32>
  %r = linalg.reduce ins(%x : tensor<4096x4096xf32>) outs(%zero : tensor<4096xf32>) dimensions = [0] (%a: f32, %acc: f32) {
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  }
  return %r : tensor<4096xf32>
}

// -----

// A vector-matrix product is a column reduction; of f16, a thread reads eight elements.
// CHECK-LABEL: func.func @row
// CHECK:         tensor.expand_shape {{.*}} : tensor<4096x4096xf16> into tensor<32x32x4x4096xf16>
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (32, 16)
func.func @row(%a: tensor<4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<4096xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant dense<0.0> : tensor<4096xf32>
  %r = linalg.vecmat ins(%a, %b : tensor<4096xf16>, tensor<4096x4096xf16>) outs(%zero : tensor<4096xf32>) -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}

// -----

// With K innermost, threads share the rows of the matrix, as in a row reduction. The four rows of the product are in one workgroup, which reads
// the matrix once for all.
// CHECK-LABEL: func.func @transposed
// CHECK-DAG:     tensor.expand_shape {{.*}} : tensor<4x4096xf16> into tensor<4x4x4x32x8xf16>
// CHECK-DAG:     tensor.expand_shape {{.*}} : tensor<1000x4096xf16> into tensor<1000x4x4x32x8xf16>
// CHECK:         linalg.generic {{.*}} outs(%{{.+}} : tensor<4x1000x4x32xf32>) attrs = {{.*}}fuselage.thread_reduction = 1
// CHECK:         scf.forall (%{{.+}}) in (1000)
// CHECK:           linalg.generic {{.*}} outs(%{{.+}} : tensor<4x1xf32>)
func.func @transposed(%a: tensor<4x4096xf16>, %b: tensor<1000x4096xf16>) -> tensor<4x1000xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant dense<0.0> : tensor<4x1000xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<4x4096xf16>, tensor<1000x4096xf16>) outs(%zero : tensor<4x1000xf32>) -> tensor<4x1000xf32>
  return %r : tensor<4x1000xf32>
}

// -----

// Nine rows are enough for tiles in workgroup memory, and so is an op with requested sizes.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     fuselage.thread_reduction
func.func @others(%a: tensor<9x512xf32>, %b: tensor<512x512xf32>, %c: tensor<1x512xf32>) -> (tensor<9x512xf32>, tensor<1x512xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %five = arith.constant dense<0.0> : tensor<9x512xf32>
  %one = arith.constant dense<0.0> : tensor<1x512xf32>
  %r = linalg.matmul ins(%a, %b : tensor<9x512xf32>, tensor<512x512xf32>) outs(%five : tensor<9x512xf32>) -> tensor<9x512xf32>
  %s = linalg.matmul {fuselage.tiling = {workgroup = array<i64: 1, 64, 0>}} ins(%c, %b : tensor<1x512xf32>, tensor<512x512xf32>) outs(%one : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %r, %s : tensor<9x512xf32>, tensor<1x512xf32>
}

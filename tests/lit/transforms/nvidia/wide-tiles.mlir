// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, compute_units = 108>'},func.func(fuselage-form-dispatches,fuselage-tile-to-workgroups))" | FileCheck %s


// More than enough tiles for all multiprocessors: the widest.
// CHECK-LABEL: func.func @large
// CHECK: reduction = array<i64: 0, 0, 16>, workgroup = array<i64: 128, 128, 0>
func.func @large(%a: tensor<4096x512xf32>, %b: tensor<512x4096xf32>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4096x512xf32>, tensor<512x4096xf32>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// -----

// 16 of them would leave most multiprocessors idle; 64 smaller ones are done sooner.
// CHECK-LABEL: func.func @small
// CHECK: workgroup = array<i64: 64, 64, 0>
func.func @small(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %r : tensor<512x512xf32>
}

// -----

// No divisor that threads share evenly: the last tiles start earlier, and each stores what the one before has not.
// CHECK-LABEL: func.func @odd
// CHECK-DAG: affine.min #{{.+}}(%{{.+}})
// CHECK: workgroup = array<i64: {{64|128}}, {{64|128}}, 0>
func.func @odd(%a: tensor<1009x512xf32>, %b: tensor<512x1009xf32>, %c: tensor<1009x1009xf32>) -> tensor<1009x1009xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1009x512xf32>, tensor<512x1009xf32>) outs(%c : tensor<1009x1009xf32>) -> tensor<1009x1009xf32>
  return %r : tensor<1009x1009xf32>
}

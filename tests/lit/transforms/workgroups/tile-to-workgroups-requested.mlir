// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups))' | FileCheck %s

// CHECK-LABEL: func.func @requested
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (8, 2)
// CHECK:           linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 16>, workgroup = array<i64: 8, 48, 0>}}
func.func @requested(%a: tensor<64x64xf32>, %b: tensor<64x96xf32>, %c: tensor<64x96xf32>) -> tensor<64x96xf32> attributes {fuselage.dispatch = 0 : i64} {
  %r = linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 16>, workgroup = array<i64: 8, 48, 0>}}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x96xf32>) outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %r : tensor<64x96xf32>
}

// -----

// The heaviest op shapes the kernel, also where it is not the one that is tiled.
// CHECK-LABEL: func.func @behind
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (4, 3)
// CHECK:           linalg.exp {fuselage.tiling = {workgroup = array<i64: 16, 32>}}
func.func @behind(%a: tensor<64x64xf32>, %b: tensor<64x96xf32>, %c: tensor<64x96xf32>) -> tensor<64x96xf32> attributes {fuselage.dispatch = 0 : i64} {
  %r = linalg.matmul {fuselage.tiling = {workgroup = array<i64: 16, 32, 0>}}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x96xf32>) outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  %init = tensor.empty() : tensor<64x96xf32>
  %e = linalg.exp ins(%r : tensor<64x96xf32>) outs(%init : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %e : tensor<64x96xf32>
}

// -----

// Steps that do not divide their loop, and sizes of other loops, are nobody's.
// CHECK-LABEL: func.func @misfit
// CHECK:         scf.forall (%{{.+}}) in (2)
// CHECK:           linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 32>, workgroup = array<i64: 32, 0, 0>}}
func.func @misfit(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {fuselage.dispatch = 0 : i64} {
  %r = linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 7>, workgroup = array<i64: 8, 48>}}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// A broadcast that is folded into the product leaves it what was asked for.
// CHECK-LABEL: func.func @broadcast
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (8, 2)
// CHECK:           linalg.generic
// CHECK-SAME:      fuselage.tiling = {reduction = array<i64: 0, 0, 0, 16>, workgroup = array<i64: 0, 8, 48, 0>}
func.func @broadcast(%a: tensor<64x64xf32>, %b: tensor<1x64x96xf32>, %c: tensor<1x64x96xf32>) -> tensor<1x64x96xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<1x64x64xf32>
  %copy = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%init : tensor<1x64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<1x64x64xf32>
  %r = linalg.batch_matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 0, 16>, workgroup = array<i64: 0, 8, 48, 0>}}
      ins(%copy, %b : tensor<1x64x64xf32>, tensor<1x64x96xf32>) outs(%c : tensor<1x64x96xf32>) -> tensor<1x64x96xf32>
  return %r : tensor<1x64x96xf32>
}

// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups{tile-sizes=8,0,48}))' | FileCheck %s
// RUN: not fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups{tile-sizes=8,-1}))' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups{max-workgroup-bytes=-5}))' 2>&1 | FileCheck %s --check-prefix=BYTES

// NEGATIVE: error: tile-sizes lists -1; sizes are positive, or 0 for a loop that stays whole
// BYTES: error: max-workgroup-bytes is -5; give a number of bytes, 0 or more

// CHECK-LABEL: func.func @fits
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (8, 2)
// CHECK:           affine.min
// CHECK:         {fuselage.tiling = {workgroup = array<i64: 8, 0, 48, 0>}, mapping = [#gpu.block<y>, #gpu.block<x>]}
func.func @fits(%x: tensor<64x2x64x4xf32>) -> tensor<64x2x64x4xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<64x2x64x4xf32>
  %r = linalg.exp ins(%x : tensor<64x2x64x4xf32>) outs(%init : tensor<64x2x64x4xf32>) -> tensor<64x2x64x4xf32>
  return %r : tensor<64x2x64x4xf32>
}

// -----

// expected-remark @below {{nothing to tile: no op of this dispatch computes a tensor by loops; it runs as one workgroup}}
func.func @only_scalars(%x: f32) -> f32 attributes {fuselage.dispatch = 0 : i64} {
  %r = arith.addf %x, %x : f32
  return %r : f32
}

// -----

// CHECK-LABEL: func.func @fewer_loops
// CHECK:         scf.forall (%{{.+}}) in (4)
func.func @fewer_loops(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{tile-sizes lists 3 sizes, but this has 2 loops: its tile is the policy's choice}}
  %r = linalg.exp ins(%x : tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// CHECK-LABEL: func.func @tiles_a_reduction
// CHECK:         scf.forall (%{{.+}}) in (2)
func.func @tiles_a_reduction(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{tile-sizes cuts loop 2, but that is a reduction, which workgroups cannot share: its tile is the policy's choice}}
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// An op that is empty has no tiles.
// expected-remark @below {{nothing to tile}}
func.func @empty(%x: tensor<0x64xf32>) -> tensor<0x64xf32> attributes {fuselage.dispatch = 0 : i64} {
  %init = tensor.empty() : tensor<0x64xf32>
  %r = linalg.exp ins(%x : tensor<0x64xf32>) outs(%init : tensor<0x64xf32>) -> tensor<0x64xf32>
  return %r : tensor<0x64xf32>
}

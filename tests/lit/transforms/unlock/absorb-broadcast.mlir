// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-absorb-broadcast))' | FileCheck %s

// One weight for all sentences, no copy for each.

// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-LABEL: func.func @weight
// CHECK-SAME:      %[[ARG:[^:]*]]: tensor<8x5xf32>
// CHECK-NOT:     tensor<16x8x5xf32>
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #[[W]], #{{.*}}]
// CHECK-SAME:      ins(%{{.*}}, %[[ARG]] : tensor<16x4x8xf32>, tensor<8x5xf32>)
#in = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @weight(%x: tensor<16x4x8xf32>, %w: tensor<8x5xf32>, %c: tensor<16x4x5xf32>) -> tensor<16x4x5xf32> {
  %e = tensor.empty() : tensor<16x8x5xf32>
  %copies = linalg.generic {indexing_maps = [#in, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<8x5xf32>) outs(%e : tensor<16x8x5xf32>) {
  ^bb0(%i: f32, %out: f32):
    linalg.yield %i : f32
  } -> tensor<16x8x5xf32>
  %r = linalg.batch_matmul ins(%x, %copies : tensor<16x4x8xf32>, tensor<16x8x5xf32>) outs(%c : tensor<16x4x5xf32>) -> tensor<16x4x5xf32>
  return %r : tensor<16x4x5xf32>
}

// -----

// Where both operands are repeated along the depth, something has to say how deep it is.

// CHECK-LABEL: func.func @bounds
// CHECK:         %[[B:.*]] = linalg.broadcast
// CHECK-NOT:     linalg.broadcast
// CHECK:         ins(%{{.*}}, %[[B]] :
func.func @bounds(%x: tensor<4xf32>, %w: tensor<5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %ea = tensor.empty() : tensor<4x8xf32>
  %a = linalg.broadcast ins(%x : tensor<4xf32>) outs(%ea : tensor<4x8xf32>) dimensions = [1]
  %eb = tensor.empty() : tensor<8x5xf32>
  %b = linalg.broadcast ins(%w : tensor<5xf32>) outs(%eb : tensor<8x5xf32>) dimensions = [0]
  // expected-remark @below {{operand #1 stays broadcast by an op of its own: a loop of the contraction would lose its bounds}}
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x5xf32>) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// -----

#unit = affine_map<(d0, d1) -> (0, d1)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @zeros(%x: tensor<4x8xf32>, %row: tensor<1x5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<8x5xf32>
  %w = linalg.generic {indexing_maps = [#unit, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%row : tensor<1x5xf32>) outs(%e : tensor<8x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x5xf32>
  // expected-remark @below {{operand #1 stays broadcast by an op of its own: it reads element 0 of a unit dimension; run fuselage-fold-unit-dims first}}
  %r = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x5xf32>) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

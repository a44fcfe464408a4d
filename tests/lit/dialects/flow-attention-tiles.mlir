// RUN: fuselage-opt %s --transform-interpreter --canonicalize | FileCheck %s

// TilingInterface cuts along the result. A tile's positions are those in all scores.
// CHECK-LABEL: func.func @attention
// CHECK:         scf.forall (%[[BLOCK:.*]], %[[COLUMNS:.*]]) in (2, 2)
// CHECK-DAG:       %[[I:.*]] = affine.apply #{{.*}}(%[[BLOCK]])
// CHECK-DAG:       %[[N:.*]] = affine.apply #{{.*}}(%[[COLUMNS]])
// CHECK-DAG:       %[[Q:.*]] = tensor.extract_slice %{{.*}}[%[[I]], 0] [32, 8]
// CHECK-DAG:       %[[V:.*]] = tensor.extract_slice %{{.*}}[0, %[[N]]] [96, 8]
// CHECK:           flow.attention {{.*}} queries(%[[Q]] : tensor<32x8xf32>) keys(%{{.*}} : tensor<96x8xf32>) values(%[[V]] : tensor<96x8xf32>) outs(%{{.*}} : tensor<32x8xf32>)
// CHECK:           ^bb0(%{{.*}}: f32, %[[ROW:.*]]: index, %[[COLUMN:.*]]: index):
// CHECK-NEXT:        %[[PLACE:.*]] = arith.addi %[[ROW]], %[[I]] : index
// CHECK-NEXT:        arith.cmpi uge, %[[PLACE]], %[[COLUMN]] : index
module attributes {transform.with_named_sequence} {
  func.func @attention(%q: tensor<64x8xf32>, %k: tensor<96x8xf32>, %v: tensor<96x16xf32>) -> tensor<64x16xf32> {
    %e = tensor.empty() : tensor<64x16xf32>
    %low = arith.constant 0xFF800000 : f32
    %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>,
                                          affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>],
                         key_dims = array<i64: 1>}
        queries(%q : tensor<64x8xf32>) keys(%k : tensor<96x8xf32>) values(%v : tensor<96x16xf32>)
        outs(%e : tensor<64x16xf32>) scores {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %sum, %0 : f32
      flow.return %1 : f32
    } logits {
    ^bb0(%score: f32, %i: index, %j: index):
      %0 = arith.cmpi uge, %i, %j : index
      %1 = arith.select %0, %score, %low : f32
      flow.return %1 : f32
    } context {
    ^bb0(%a: f32, %b: f32, %sum: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %sum, %0 : f32
      flow.return %1 : f32
    } -> tensor<64x16xf32>
    return %r : tensor<64x16xf32>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["flow.attention"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [32, 0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

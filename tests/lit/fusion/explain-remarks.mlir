// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --fuselage-explain-fusion=policy=conservative -o /dev/null
// RUN: fuselage-opt %s --split-input-file --fuselage-explain-fusion="policy=conservative missed-only" --remarks-filter=fusion --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t.yaml

// YAML: --- !Missed
// YAML-NOT: !Passed

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @elementwise(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %init = tensor.empty() : tensor<8x8xf32>
  // expected-remark @below {{CLONED: operand 1, from tensor.empty}}
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  // expected-remark @below {{FUSED_INTO_OP: operand 0, from linalg.generic}}
  // expected-remark @below {{CLONED: operand 1, from tensor.empty}}
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.log %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#unit = affine_map<(d0, d1, d2) -> (0, d1, d2)>
func.func @unit(%a: tensor<1x8x8xf32>, %b: tensor<1x8x8xf32>, %acc: tensor<1x8x8xf32>, %init: tensor<1x8x8xf32>) -> tensor<1x8x8xf32> {
  %p = linalg.batch_matmul ins(%a, %b : tensor<1x8x8xf32>, tensor<1x8x8xf32>) outs(%acc : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  // expected-remark @below {{SEPARATE: operand 0, from linalg.batch_matmul: UNIT_DIM_BROADCAST: An indexing map contains the constant 0}}
  %c = linalg.generic {indexing_maps = [#unit, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x8x8xf32>) outs(%init : tensor<1x8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<1x8x8xf32>
  // expected-remark @below {{NON_FUSABLE_OP: One of the two ops has no loops to fuse (tensor.collapse_shape stands between the two computations)}}
  %r = tensor.collapse_shape %c [[0, 1], [2]] : tensor<1x8x8xf32> into tensor<8x8xf32>
  // expected-remark @below {{NON_FUSABLE_OP}}
  %back = tensor.expand_shape %r [[0, 1], [2]] output_shape [1, 8, 8] : tensor<8x8xf32> into tensor<1x8x8xf32>
  return %back : tensor<1x8x8xf32>
}

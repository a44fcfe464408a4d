// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=12}))'

func.func @part_of_a_row(%x: tensor<6x8xf32>) -> tensor<48xf32> {
  // expected-remark @below {{tensor.collapse_shape is not fused into the loops of linalg.exp: GROUP_SPLIT_UNEVENLY: the tile takes part of a row of the dimensions that the reshape collapses (the tile begins at a multiple of 12 up to 36 and has 12 elements; rows of dimension 0 have 8)}}
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<6x8xf32> into tensor<48xf32>
  %e = tensor.empty() : tensor<48xf32>
  %1 = linalg.exp ins(%0 : tensor<48xf32>) outs(%e : tensor<48xf32>) -> tensor<48xf32>
  return %1 : tensor<48xf32>
}

// -----

func.func @begins_within_a_row(%x: tensor<15x4xf32>) -> tensor<36xf32> {
  // expected-remark @below {{OFFSET_NOT_MULTIPLE: the tile is not known to begin where a row of the collapsed dimensions begins (the tile begins at}}
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<15x4xf32> into tensor<60xf32>
  %s = tensor.extract_slice %0[6] [36] [1] : tensor<60xf32> to tensor<36xf32>
  %e = tensor.empty() : tensor<36xf32>
  %1 = linalg.exp ins(%s : tensor<36xf32>) outs(%e : tensor<36xf32>) -> tensor<36xf32>
  return %1 : tensor<36xf32>
}

// -----

func.func @unknown_rows(%x: tensor<?x?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  // expected-remark @below {{DYNAMIC_GROUP: inner sizes of the reshaped dimensions are not known (rows of dimension 0 have a dynamic size)}}
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %1 = linalg.exp ins(%0 : tensor<?xf32>) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @unknown_end(%x: tensor<?x4xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  // The last tile of the function's argument may have any size.
  // expected-remark @below {{GROUP_SPLIT_UNEVENLY}}
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %1 = linalg.exp {anchor} ins(%out : tensor<?xf32>) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @cuts_a_column(%x: tensor<96xf32>) -> tensor<24x2xf32> {
  // expected-remark @below {{INNER_DIMENSION_CUT: the tile cuts an inner dimension of a group, so that it is not contiguous after the reshape (the tile has 2 of dimension 1, which has 4)}}
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [24, 4] : tensor<96xf32> into tensor<24x4xf32>
  %s = tensor.extract_slice %0[0, 1] [24, 2] [1, 1] : tensor<24x4xf32> to tensor<24x2xf32>
  %e = tensor.empty() : tensor<24x2xf32>
  %1 = linalg.exp ins(%s : tensor<24x2xf32>) outs(%e : tensor<24x2xf32>) -> tensor<24x2xf32>
  return %1 : tensor<24x2xf32>
}

// -----

func.func @strided(%x: tensor<96xf32>) -> tensor<48xf32> {
  %e = tensor.empty() : tensor<96xf32>
  // expected-remark @below {{linalg.negf is not fused into the loops of linalg.exp: STRIDED_TILE: the tile leaves elements out, which would be computed as well (one of every 2 elements of dimension 0)}}
  %0 = linalg.negf ins(%x : tensor<96xf32>) outs(%e : tensor<96xf32>) -> tensor<96xf32>
  %1 = tensor.extract_slice %0[0] [48] [2] : tensor<96xf32> to tensor<48xf32>
  %f = tensor.empty() : tensor<48xf32>
  %2 = linalg.exp ins(%1 : tensor<48xf32>) outs(%f : tensor<48xf32>) -> tensor<48xf32>
  return %2 : tensor<48xf32>
}

// -----

func.func @straddles(%x: tensor<20xf32>, %y: tensor<28xf32>) -> tensor<48xf32> {
  // expected-remark @below {{CONCAT_STRADDLED: the tile may lie in several operands of the concatenation (an operand begins at 20 of dimension 0, the tile at a multiple of 12 up to 36)}}
  %0 = tensor.concat dim(0) %x, %y : (tensor<20xf32>, tensor<28xf32>) -> tensor<48xf32>
  %e = tensor.empty() : tensor<48xf32>
  %1 = linalg.exp ins(%0 : tensor<48xf32>) outs(%e : tensor<48xf32>) -> tensor<48xf32>
  return %1 : tensor<48xf32>
}

// -----

func.func @padding_by_position(%x: tensor<40xf32>, %v: tensor<48xf32>) -> tensor<48xf32> {
  // expected-remark @below {{PADDING_NOT_CONSTANT: the padding depends on where it stands}}
  %0 = tensor.pad %x low[4] high[4] {
  ^bb0(%i: index):
    %p = tensor.extract %v[%i] : tensor<48xf32>
    tensor.yield %p : f32
  } : tensor<40xf32> to tensor<48xf32>
  %e = tensor.empty() : tensor<48xf32>
  %1 = linalg.exp ins(%0 : tensor<48xf32>) outs(%e : tensor<48xf32>) -> tensor<48xf32>
  return %1 : tensor<48xf32>
}

// -----

// Cutting the reduction: its accumulator is set once, and its result is final only after the loop.
func.func @reduction(%x: tensor<48xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  // expected-remark @below {{linalg.fill is not fused into the loops of linalg.reduce: ACCUMULATOR_RESET: each step of a reduction would set its accumulator again}}
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %1 = linalg.reduce ins(%x : tensor<48xf32>) outs(%0 : tensor<f32>) dimensions = [0] (%a: f32, %b: f32) {
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  // expected-remark @below {{tensor.expand_shape is not fused into the loops of linalg.reduce: PARTIAL_RESULT}}
  %2 = tensor.expand_shape %1 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %3 = tensor.collapse_shape %2 [] : tensor<1xf32> into tensor<f32>
  return %3 : tensor<f32>
}

// -----

func.func @invariant(%x: tensor<48x4xf32>, %row: tensor<4xf32>) -> tensor<48x4xf32> {
  %e0 = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{linalg.negf is not fused into the loops of linalg.generic: LOOP_INVARIANT: each iteration reads the same tile, which is computed once, before the loop}}
  %0 = linalg.negf ins(%row : tensor<4xf32>) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<48x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<48x4xf32>, tensor<4xf32>) outs(%e : tensor<48x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<48x4xf32>
  return %1 : tensor<48x4xf32>
}

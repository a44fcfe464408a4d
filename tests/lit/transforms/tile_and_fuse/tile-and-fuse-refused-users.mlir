// Refusals for what else an op reads, who else reads it, and where nothing is.
// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=tile_me tile-sizes=4,4 shared=yield}))'

func.func private @g(tensor<16x8xf32>) -> tensor<16x8xf32>

func.func @call(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %a = linalg.negf {tile_me} ins(%x : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  // expected-remark @below {{func.call is not fused into the loops of linalg.negf: NOT_FUSABLE}}
  %b = func.call @g(%a) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  // expected-remark @below {{linalg.add is not fused into the loops of linalg.negf: OPERAND_BEHIND_LOOP}}
  %c = linalg.add ins(%a, %b : tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %c : tensor<16x8xf32>
}

// -----

func.func @call_in_front(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  // expected-remark @below {{func.call is not fused into the loops of linalg.negf: NOT_FUSABLE}}
  %a = func.call @h(%x) : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %b = linalg.negf {tile_me} ins(%a : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %b : tensor<16x8xf32>
}

func.func private @h(tensor<16x8xf32>) -> tensor<16x8xf32>

// -----

func.func @unranked(%u: tensor<*xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  // expected-remark @below {{tensor.cast is not fused into the loops of linalg.negf: UNRANKED}}
  %x = tensor.cast %u : tensor<*xf32> to tensor<16x8xf32>
  %a = linalg.negf {tile_me} ins(%x : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %a : tensor<16x8xf32>
}

// -----

// The rows of one tile of the result are the columns of another one.
func.func @transposed_too(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<16x16xf32>
  %a = linalg.negf {tile_me} ins(%x : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  // expected-remark @below {{linalg.generic is not fused into the loops of linalg.negf: OPERAND_TILES_DIFFER}}
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<16x16xf32>
  return %b : tensor<16x16xf32>
}

// -----

// Windows of neighbouring tiles overlap: no loop can put the producer together from them.
func.func @windows(%x: tensor<18x8xf32>) -> (tensor<16x8xf32>, tensor<18x8xf32>) {
  %e0 = tensor.empty() : tensor<18x8xf32>
  // expected-remark @below {{linalg.exp is not fused into the loops of linalg.generic: TILES_OVERLAP}}
  %0 = linalg.exp ins(%x : tensor<18x8xf32>) outs(%e0 : tensor<18x8xf32>) -> tensor<18x8xf32>
  %window = tensor.empty() : tensor<3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = linalg.generic {tile_me, indexing_maps = [affine_map<(d0, d1, d2) -> (d0 + d2, d1)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0, %window : tensor<18x8xf32>, tensor<3xf32>) outs(%fill : tensor<16x8xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %1, %0 : tensor<16x8xf32>, tensor<18x8xf32>
}

// -----

// There is nothing before the padding that a tile could be of.
func.func @only_padding(%x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %one = arith.constant 1.0 : f32
  %nothing = tensor.extract_slice %x[0, 0] [0, 8] [1, 1] : tensor<16x8xf32> to tensor<0x8xf32>
  // expected-remark @below {{tensor.pad is not fused into the loops of linalg.negf: EMPTY_TILE}}
  %p = tensor.pad %nothing low[8, 0] high[8, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<0x8xf32> to tensor<16x8xf32>
  %e = tensor.empty() : tensor<16x8xf32>
  %a = linalg.negf {tile_me} ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %a : tensor<16x8xf32>
}

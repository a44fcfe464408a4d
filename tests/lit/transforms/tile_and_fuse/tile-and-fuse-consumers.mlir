// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=tile_me tile-sizes=16,32}))' | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=tile_me tile-sizes=16,32 loop-type=forall}))' 2>/dev/null | FileCheck %s --check-prefix=FORALL

// A product with all that follows it: bias, activation and the split into heads, in one loop nest that
// returns the last value only. The bias is broadcast after the product in the text.
// CHECK-LABEL: func.func @epilogue
// CHECK-NOT:     linalg
// CHECK:         scf.for {{.*}} -> (tensor<64x12x8xf32>)
// CHECK-NEXT:      scf.for {{.*}} -> (tensor<64x12x8xf32>)
// CHECK:             linalg.fill
// CHECK:             linalg.matmul
// CHECK:             linalg.broadcast
// CHECK:             linalg.add
// CHECK:             tensor.expand_shape {{.*}} output_shape [16, 4, 8]
// CHECK:             tensor.insert_slice
// CHECK-NOT:     linalg
// FORALL-LABEL: func.func @epilogue
// FORALL-NOT:     linalg
// FORALL:         scf.forall {{.*}} shared_outs(%{{.+}} = %{{.+}}) -> (tensor<64x12x8xf32>)
// FORALL:           linalg.matmul
// FORALL:           tensor.expand_shape
// FORALL:           scf.forall.in_parallel
// FORALL-NOT:     linalg
func.func @epilogue(%a: tensor<64x48xf32>, %b: tensor<48x96xf32>, %bias: tensor<96xf32>) -> tensor<64x12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %m = linalg.matmul {tile_me} ins(%a, %b : tensor<64x48xf32>, tensor<48x96xf32>) outs(%f : tensor<64x96xf32>) -> tensor<64x96xf32>
  %be = tensor.empty() : tensor<64x96xf32>
  %bb = linalg.broadcast ins(%bias : tensor<96xf32>) outs(%be : tensor<64x96xf32>) dimensions = [0]
  %r = linalg.add ins(%m, %bb : tensor<64x96xf32>, tensor<64x96xf32>) outs(%be : tensor<64x96xf32>) -> tensor<64x96xf32>
  %x = tensor.expand_shape %r [[0], [1, 2]] output_shape [64, 12, 8] : tensor<64x96xf32> into tensor<64x12x8xf32>
  return %x : tensor<64x12x8xf32>
}

// -----

// Used twice: the loops return both.
// CHECK-LABEL: func.func @two_results
// CHECK:         scf.for {{.*}} -> (tensor<64x96xf32>, tensor<96x64xf32>)
// CHECK:           scf.for
// CHECK:             linalg.exp
// CHECK:             linalg.transpose
// CHECK:         return %[[R:.+]]#0, %[[R]]#1
// FORALL-LABEL: func.func @two_results
// FORALL:         scf.forall {{.*}} -> (tensor<64x96xf32>, tensor<96x64xf32>)
func.func @two_results(%a: tensor<64x96xf32>) -> (tensor<64x96xf32>, tensor<96x64xf32>) {
  %e = tensor.empty() : tensor<64x96xf32>
  %m = linalg.exp {tile_me} ins(%a : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %f = tensor.empty() : tensor<96x64xf32>
  %t = linalg.transpose ins(%m : tensor<64x96xf32>) outs(%f : tensor<96x64xf32>) permutation = [1, 0]
  return %m, %t : tensor<64x96xf32>, tensor<96x64xf32>
}

// -----

// What reads other elements than an iteration has stays after the loop.
// CHECK-LABEL: func.func @refused
func.func @refused(%a: tensor<64x96xf32>, %w: tensor<96x32xf32>, %k: tensor<3xf32>, %out: tensor<64x94xf32>)
    -> (tensor<64x32xf32>, tensor<32x96xf32>, tensor<64x94xf32>, tensor<128x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>, tensor<66x96xf32>) {
  %e = tensor.empty() : tensor<64x96xf32>
  %m = linalg.exp {tile_me} ins(%a : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %g = tensor.empty() : tensor<64x32xf32>
  // expected-remark @below {{linalg.matmul is not fused into the loops of linalg.exp: REDUCTION_CUT: a tile has a part of what the op reduces (the tile has 32 elements of the reduced dimension 1 of operand 0)}}
  %p = linalg.matmul ins(%m, %w : tensor<64x96xf32>, tensor<96x32xf32>) outs(%g : tensor<64x32xf32>) -> tensor<64x32xf32>
  // expected-remark @below {{SLICE_CUT: the loop cuts a dimension that the slice takes a part of, so that some tiles are outside of it (dimension 0 of the source)}}
  %s = tensor.extract_slice %m[8, 0] [32, 96] [1, 1] : tensor<64x96xf32> to tensor<32x96xf32>
  // expected-remark @below {{MAP_NOT_PERMUTATION: the value is accessed through a map that is no projected permutation ((d0, d1, d2) -> (d0, d1 + d2))}}
  %c = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1 + d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%m, %k : tensor<64x96xf32>, tensor<3xf32>) outs(%out : tensor<64x94xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %q = arith.mulf %x, %y : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  } -> tensor<64x94xf32>
  // expected-remark @below {{CONCAT_NEEDS_OTHERS: the loop computes one operand of the concatenation only (1 of 2 operands)}}
  %d = tensor.concat dim(0) %m, %a : (tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<128x96xf32>
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{tensor.pad is not fused into the loops of linalg.exp: TILE_REFUSED: the op cannot compute this tile alone (no tile of the source has the padding around it)}}
  %q = tensor.pad %m low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<64x96xf32> to tensor<66x96xf32>
  %one = arith.constant 1 : index
  // expected-remark @below {{CAPTURED_IN_BODY: the op reads the value in its body, as a whole}}
  %h = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x96xf32>) {
  ^bb0(%o: f32):
    %r = tensor.extract %m[%one, %one] : tensor<64x96xf32>
    linalg.yield %r : f32
  } -> tensor<64x96xf32>
  return %p, %s, %c, %d, %h, %m, %q : tensor<64x32xf32>, tensor<32x96xf32>, tensor<64x94xf32>, tensor<128x96xf32>, tensor<64x96xf32>, tensor<64x96xf32>, tensor<66x96xf32>
}

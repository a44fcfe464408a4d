// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=8,16}))' | FileCheck %s

// Tiles may lie in the padding altogether: the source's slice, and what computes it, stand in the branch
// for those that do not.
// CHECK-LABEL: func.func @pad_outside
// CHECK-NOT:     linalg.exp
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             tensor.generate
// CHECK:           } else {
// CHECK:             %[[SLICE:.+]] = tensor.extract_slice
// CHECK:             %[[EXP:.+]] = linalg.exp ins(%[[SLICE]] :
// CHECK:             tensor.pad %[[EXP]]
// CHECK:           linalg.negf
// CHECK-NOT:     linalg.exp
func.func @pad_outside(%x: tensor<30x30xf32>) -> tensor<48x48xf32> {
  %c = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<30x30xf32>
  %0 = linalg.exp ins(%x : tensor<30x30xf32>) outs(%e0 : tensor<30x30xf32>) -> tensor<30x30xf32>
  %p = tensor.pad %0 low[9, 17] high[9, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<30x30xf32> to tensor<48x48xf32>
  %e = tensor.empty() : tensor<48x48xf32>
  %r = linalg.negf ins(%p : tensor<48x48xf32>) outs(%e : tensor<48x48xf32>) -> tensor<48x48xf32>
  return %r : tensor<48x48xf32>
}

// -----

// Operands begin at multiples of the tile: each tile is one of one operand.
// CHECK-LABEL: func.func @concat_aligned
// CHECK-SAME:    (%[[X:[^:]+]]: tensor<16x32xf32>, %[[Y:[^:]+]]: tensor<24x32xf32>)
// CHECK:         scf.for %[[I:[^ ]+]] =
// CHECK:           %[[IN_X:.+]] = arith.cmpi ult, %[[I]], %{{.+}} : index
// CHECK:           scf.if %[[IN_X]] -> (tensor<8x16xf32>)
// CHECK:             tensor.extract_slice %[[X]]
// CHECK:             linalg.exp
// CHECK:           } else {
// CHECK:             tensor.extract_slice %[[Y]]
// CHECK:           linalg.negf
func.func @concat_aligned(%x: tensor<16x32xf32>, %y: tensor<24x32xf32>) -> tensor<40x32xf32> {
  %e0 = tensor.empty() : tensor<16x32xf32>
  %0 = linalg.exp ins(%x : tensor<16x32xf32>) outs(%e0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %p = tensor.concat dim(0) %0, %y : (tensor<16x32xf32>, tensor<24x32xf32>) -> tensor<40x32xf32>
  %e = tensor.empty() : tensor<40x32xf32>
  %r = linalg.negf ins(%p : tensor<40x32xf32>) outs(%e : tensor<40x32xf32>) -> tensor<40x32xf32>
  return %r : tensor<40x32xf32>
}

// -----

// The loop does not cut the concatenated dimension: a piece of each operand. Of a fixed range that
// straddles two operands, both; the third is not read.
// CHECK-LABEL: func.func @concat_whole
// CHECK-SAME:    (%[[X:[^:]+]]: tensor<64x5xf32>, %[[Y:[^:]+]]: tensor<64x6xf32>, %[[Z:[^:]+]]: tensor<64x7xf32>)
// CHECK:         scf.for %[[I:[^ ]+]] =
// CHECK-DAG:       %[[A:.+]] = tensor.extract_slice %[[X]][%[[I]], 2] [8, 3] [1, 1]
// CHECK-DAG:       %[[B:.+]] = tensor.extract_slice %[[Y]][%[[I]], 0] [8, 4] [1, 1]
// CHECK:           tensor.concat dim(1) %[[A]], %[[B]]
// CHECK-NOT:       %[[Z]]
// CHECK:           linalg.negf
func.func @concat_whole(%x: tensor<64x5xf32>, %y: tensor<64x6xf32>, %z: tensor<64x7xf32>) -> tensor<64x7xf32> {
  %p = tensor.concat dim(1) %x, %y, %z : (tensor<64x5xf32>, tensor<64x6xf32>, tensor<64x7xf32>) -> tensor<64x18xf32>
  %s = tensor.extract_slice %p[0, 2] [64, 7] [1, 1] : tensor<64x18xf32> to tensor<64x7xf32>
  %e = tensor.empty() : tensor<64x7xf32>
  %r = linalg.negf ins(%s : tensor<64x7xf32>) outs(%e : tensor<64x7xf32>) -> tensor<64x7xf32>
  return %r : tensor<64x7xf32>
}

// -----

// A cast that forgets a size, and one that claims it again, leave no trace in the loop.
// CHECK-LABEL: func.func @casts
// CHECK:         scf.for
// CHECK:           linalg.exp
// CHECK-NOT:       tensor.cast
// CHECK:           linalg.negf
func.func @casts(%x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %e0 = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.exp ins(%x : tensor<64x32xf32>) outs(%e0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %1 = tensor.cast %0 : tensor<64x32xf32> to tensor<?x32xf32>
  %2 = tensor.cast %1 : tensor<?x32xf32> to tensor<64x32xf32>
  %r = linalg.negf ins(%2 : tensor<64x32xf32>) outs(%e0 : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

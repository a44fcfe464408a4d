// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches,fuselage-dispatch-moves))' | FileCheck %s

// Half a rotary embedding. Slices are views in their readers; what is negated goes right to its half of the concatenation.
// CHECK-LABEL: func @rotate
// CHECK-SAME:    (%[[X:.*]]: tensor<4x64xf32>, %[[S:.*]]: tensor<4x64xf32>)
// CHECK-NOT:     tensor.extract_slice
// CHECK:         %[[JOINED:.*]] = flow.dispatch.region -> (tensor<4x64xf32>) {
// CHECK-DAG:       %[[LEFT:.*]] = tensor.extract_slice %[[X]][0, 0] [4, 32]
// CHECK-DAG:       %[[RIGHT:.*]] = tensor.extract_slice %[[X]][0, 32] [4, 32]
// CHECK:           %[[NEG:.*]] = linalg.negf ins(%[[RIGHT]]
// CHECK:           tensor.concat dim(1) %[[NEG]], %[[LEFT]]
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      tensor.empty
// CHECK-NEXT:      linalg.mul ins(%[[JOINED]], %[[S]]
// CHECK-NOT:     tensor.extract_slice
// CHECK:         return
func.func @rotate(%x: tensor<4x64xf32>, %s: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %left = tensor.extract_slice %x[0, 0] [4, 32] [1, 1] : tensor<4x64xf32> to tensor<4x32xf32>
  %right = tensor.extract_slice %x[0, 32] [4, 32] [1, 1] : tensor<4x64xf32> to tensor<4x32xf32>
  %half = tensor.empty() : tensor<4x32xf32>
  %neg = linalg.negf ins(%right : tensor<4x32xf32>) outs(%half : tensor<4x32xf32>) -> tensor<4x32xf32>
  %joined = tensor.concat dim(1) %neg, %left : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x64xf32>
  %e = tensor.empty() : tensor<4x64xf32>
  %r = linalg.mul ins(%joined, %s : tensor<4x64xf32>, tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %r : tensor<4x64xf32>
}

// -----

// Insertions one after the other are one dispatch, with the fill that they go into. What others read, too, stays outside of it.
// CHECK-LABEL: func @insertions
// CHECK:         %[[EXP:.*]] = flow.dispatch.region -> (tensor<4x8xf32>) {
// CHECK:           linalg.exp
// CHECK:         %[[R:.*]] = flow.dispatch.region -> (tensor<4x16xf32>) {
// CHECK-DAG:       %[[FILL:.*]] = linalg.fill
// CHECK-DAG:       %[[ABS:.*]] = linalg.abs
// CHECK:           %[[ONE:.*]] = tensor.insert_slice %[[EXP]] into %[[FILL]]
// CHECK:           %[[TWO:.*]] = tensor.insert_slice %[[ABS]] into %[[ONE]]
// CHECK-NEXT:      flow.return %[[TWO]]
// CHECK:         return %[[R]], %[[EXP]]
func.func @insertions(%a: tensor<4x8xf32>, %b: tensor<4x4xf32>) -> (tensor<4x16xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %ea = tensor.empty() : tensor<4x8xf32>
  %eb = tensor.empty() : tensor<4x4xf32>
  %exp = linalg.exp ins(%a : tensor<4x8xf32>) outs(%ea : tensor<4x8xf32>) -> tensor<4x8xf32>
  %abs = linalg.abs ins(%b : tensor<4x4xf32>) outs(%eb : tensor<4x4xf32>) -> tensor<4x4xf32>
  %one = tensor.insert_slice %exp into %fill[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  %two = tensor.insert_slice %abs into %one[0, 8] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x16xf32>
  return %two, %exp : tensor<4x16xf32>, tensor<4x8xf32>
}

// -----

// A slice that is needed by itself is a copy; of slices of slices only what is read.
// CHECK-LABEL: func @reshaped
// CHECK-SAME:    (%[[X:.*]]: tensor<8x64xf32>)
// CHECK:         %[[COPY:.*]] = flow.dispatch.region -> (tensor<4x16xf32>) {
// CHECK:           %[[OUTER:.*]] = tensor.extract_slice %[[X]]
// CHECK:           %[[INNER:.*]] = tensor.extract_slice %[[OUTER]]
// CHECK:           flow.return %[[INNER]]
// CHECK:         tensor.expand_shape %[[COPY]]
// CHECK-NOT:     flow.dispatch.region
// CHECK:         return
func.func @reshaped(%x: tensor<8x64xf32>) -> tensor<4x4x4xf32> {
  %outer = tensor.extract_slice %x[4, 0] [4, 64] [1, 1] : tensor<8x64xf32> to tensor<4x64xf32>
  %inner = tensor.extract_slice %outer[0, 8] [4, 16] [1, 1] : tensor<4x64xf32> to tensor<4x16xf32>
  %r = tensor.expand_shape %inner [[0], [1, 2]] output_shape [4, 4, 4] : tensor<4x16xf32> into tensor<4x4x4xf32>
  return %r : tensor<4x4x4xf32>
}

// -----

// A contraction reads a slice as it lies only where that is on 16 bytes.
// CHECK-LABEL: func @contractions
// CHECK-SAME:    (%[[X:.*]]: tensor<8x64xf32>, %[[W:.*]]: tensor<16x8xf32>)
// CHECK:         %[[ODD:.*]] = flow.dispatch.region -> (tensor<8x16xf32>) {
// CHECK-NEXT:      %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, 1]
// CHECK-NEXT:      flow.return %[[SLICE]]
// CHECK:         flow.dispatch.region
// CHECK-NOT:       tensor.extract_slice
// CHECK:           linalg.matmul ins(%[[ODD]], %[[W]]
// CHECK:         flow.dispatch.region
// CHECK:           %[[EVEN:.*]] = tensor.extract_slice %[[X]][0, 32]
// CHECK:           linalg.matmul ins(%[[EVEN]], %[[W]]
func.func @contractions(%x: tensor<8x64xf32>, %w: tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %odd = tensor.extract_slice %x[0, 1] [8, 16] [1, 1] : tensor<8x64xf32> to tensor<8x16xf32>
  %even = tensor.extract_slice %x[0, 32] [8, 16] [1, 1] : tensor<8x64xf32> to tensor<8x16xf32>
  %r = linalg.matmul ins(%odd, %w : tensor<8x16xf32>, tensor<16x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.matmul ins(%even, %w : tensor<8x16xf32>, tensor<16x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r, %s : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// What the host decides by, what has no size yet, and what is smaller than a byte stays where it was.
// CHECK-LABEL: func @stays
// CHECK-NOT:     flow.dispatch.region
// CHECK:         return
func.func @stays(%shape: tensor<4xi64>, %d: tensor<?x8xf32>, %n: index, %packed: tensor<16xi4>) -> (i64, tensor<?x8xf32>, tensor<8xi4>) {
  %c0 = arith.constant 0 : index
  %one = tensor.extract_slice %shape[1] [1] [1] : tensor<4xi64> to tensor<1xi64>
  %size = tensor.extract %one[%c0] : tensor<1xi64>
  %rows = tensor.extract_slice %d[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %nibbles = tensor.extract_slice %packed[8] [8] [1] : tensor<16xi4> to tensor<8xi4>
  return %size, %rows, %nibbles : i64, tensor<?x8xf32>, tensor<8xi4>
}

// -----

// Dimensions of a slice that are taken apart leave it a view.
// CHECK-LABEL: func @heads
// CHECK-SAME:    (%[[X:.*]]: tensor<8x64xf32>)
// CHECK-NEXT:    flow.dispatch.region -> (tensor<4x8x8xf32>) {
// CHECK-NEXT:      %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, 32]
// CHECK-NEXT:      %[[HEADS:.*]] = tensor.expand_shape %[[SLICE]]
// CHECK:           linalg.transpose ins(%[[HEADS]]
// CHECK-NOT:     flow.dispatch.region
// CHECK:         return
func.func @heads(%x: tensor<8x64xf32>) -> tensor<4x8x8xf32> {
  %slice = tensor.extract_slice %x[0, 32] [8, 32] [1, 1] : tensor<8x64xf32> to tensor<8x32xf32>
  %heads = tensor.expand_shape %slice [[0], [1, 2]] output_shape [8, 4, 8] : tensor<8x32xf32> into tensor<8x4x8xf32>
  %e = tensor.empty() : tensor<4x8x8xf32>
  %r = linalg.transpose ins(%heads : tensor<8x4x8xf32>) outs(%e : tensor<4x8x8xf32>) permutation = [1, 0, 2]
  return %r : tensor<4x8x8xf32>
}

// -----

// What a loop carries is updated where it lies: a dispatch would have to copy all of it. Several insertions are, too.
// CHECK-LABEL: func @carried
// CHECK:         scf.for {{.*}} iter_args(%[[ALL:.*]] = %{{.*}}) -> (tensor<20x4xf32>)
// CHECK-NEXT:      %[[EXP:.*]] = flow.dispatch.region -> (tensor<4xf32>) {
// CHECK:           }
// CHECK-NEXT:      %[[ONE:.*]] = tensor.insert_slice %[[EXP]] into %[[ALL]]
// CHECK-NEXT:      %[[TWO:.*]] = tensor.insert_slice %{{.*}} into %[[ONE]]
// CHECK-NEXT:      scf.yield %[[TWO]]
func.func @carried(%x: tensor<4xf32>, %all: tensor<20x4xf32>) -> tensor<20x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %r = scf.for %i = %c0 to %c20 step %c1 iter_args(%carried = %all) -> tensor<20x4xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %exp = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %one = tensor.insert_slice %exp into %carried[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<20x4xf32>
    %two = tensor.insert_slice %x into %one[0, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<20x4xf32>
    scf.yield %two : tensor<20x4xf32>
  }
  return %r : tensor<20x4xf32>
}

// -----

// CHECK-LABEL: func @tested
// CHECK:         } do {
// CHECK-NEXT:    ^bb0(%[[I:.*]]: index, %[[ALL:.*]]: tensor<20x4xf32>):
// CHECK-NOT:       flow.dispatch.region
// CHECK:           %[[R:.*]] = tensor.insert_slice %{{.*}} into %[[ALL]]
// CHECK:           scf.yield %{{.*}}, %[[R]]
func.func @tested(%x: tensor<4xf32>, %all: tensor<20x4xf32>, %n: index) -> tensor<20x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %carried = %all) : (index, tensor<20x4xf32>) -> (index, tensor<20x4xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %carried : index, tensor<20x4xf32>
  } do {
  ^bb0(%i: index, %carried: tensor<20x4xf32>):
    %next = arith.addi %i, %c1 : index
    %one = tensor.insert_slice %x into %carried[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<20x4xf32>
    scf.yield %next, %one : index, tensor<20x4xf32>
  }
  return %r#1 : tensor<20x4xf32>
}

// -----

// Not where somebody else sees what was in it before, nor where another round begins with something else.
// CHECK-LABEL: func @seen
// CHECK:         scf.for
// CHECK:           flow.dispatch.region
// CHECK:             tensor.insert_slice
// CHECK:           flow.dispatch.region
// CHECK:             tensor.insert_slice
// CHECK:           scf.yield
func.func @seen(%x: tensor<4xf32>, %all: tensor<20x4xf32>, %other: tensor<20x4xf32>) -> (tensor<20x4xf32>, tensor<20x4xf32>, tensor<20x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %r:4 = scf.for %i = %c0 to %c20 step %c1 iter_args(%carried = %all, %before = %other, %left = %all, %right = %other) -> (tensor<20x4xf32>, tensor<20x4xf32>, tensor<20x4xf32>, tensor<20x4xf32>) {
    %one = tensor.insert_slice %x into %carried[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<20x4xf32>
    %two = tensor.insert_slice %x into %left[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<20x4xf32>
    scf.yield %one, %carried, %right, %two : tensor<20x4xf32>, tensor<20x4xf32>, tensor<20x4xf32>, tensor<20x4xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<20x4xf32>, tensor<20x4xf32>, tensor<20x4xf32>
}

// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-form-dispatches),cse)' | FileCheck %s

// The root takes its elementwise consumers, and clones what is cheap.
// CHECK-LABEL: func @matmul_bias_relu
// CHECK:         %[[R:.*]] = flow.dispatch.region -> (tensor<16x32xf32>) {
// CHECK-DAG:       tensor.empty
// CHECK-DAG:       linalg.fill
// CHECK:           linalg.matmul
// CHECK:           linalg.broadcast
// CHECK:           linalg.add
// CHECK:           linalg.max
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
func.func @matmul_bias_relu(%a: tensor<16x8xf32>, %b: tensor<8x32xf32>, %bias: tensor<32xf32>) -> tensor<16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<16x32xf32>
  %e = tensor.empty() : tensor<16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<16x8xf32>, tensor<8x32xf32>) outs(%f : tensor<16x32xf32>) -> tensor<16x32xf32>
  %bb = linalg.broadcast ins(%bias : tensor<32xf32>) outs(%e : tensor<16x32xf32>) dimensions = [0]
  %s = linalg.add ins(%m, %bb : tensor<16x32xf32>, tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %r = linalg.max ins(%s, %zeros : tensor<16x32xf32>, tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

// -----

// A value that is read elsewhere leaves as a result of its own.
// CHECK-LABEL: func @multi_use
// CHECK:         %[[R:.*]]:2 = flow.dispatch.region -> (tensor<16x32xf32>, tensor<16x32xf32>) {
// CHECK:           %[[M:.*]] = linalg.matmul
// CHECK:           %[[X:.*]] = linalg.exp
// CHECK:           flow.return %[[M]], %[[X]]
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @multi_use(%a: tensor<16x8xf32>, %b: tensor<8x32xf32>, %c: tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  %e = tensor.empty() : tensor<16x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<16x8xf32>, tensor<8x32xf32>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  %x = linalg.exp ins(%m : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %m, %x : tensor<16x32xf32>, tensor<16x32xf32>
}

// -----

// The add reads the first matmul directly and through the second: it joins the second, since with
// the first it would make a cycle.
// CHECK-LABEL: func @cycle
// CHECK:         %[[R:.*]] = flow.dispatch.region
// CHECK:           linalg.matmul
// CHECK-NOT:       linalg.add
// CHECK:           flow.return
// CHECK:         flow.dispatch.region
// CHECK:           linalg.matmul
// CHECK:           linalg.add ins(%{{.*}}, %[[R]] :
func.func @cycle(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %n = linalg.matmul ins(%m, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.add ins(%n, %m : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// -----

// Each of the two groups is fine alone, both together would read each other: only one forms.
// CHECK-LABEL: func @cycle_of_two_groups
// CHECK-COUNT-3: flow.dispatch.region
// CHECK-NOT:     flow.dispatch.region
// CHECK:         return
func.func @cycle_of_two_groups(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %a1 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b1 = linalg.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %map = linalg.exp ins(%b1 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a2 = linalg.add ins(%a1, %map : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b2 = linalg.sub ins(%map, %a1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %a2, %b2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// softmax: each reduction takes what reads it; the consumer has a dimension more than the root's result.
// CHECK-LABEL: func @softmax
// CHECK:         %[[E:.*]] = flow.dispatch.region -> (tensor<4x16xf32>) {
// CHECK:           arith.maximumf
// CHECK:           arith.subf
// CHECK:           math.exp
// CHECK:           flow.return
// CHECK:         flow.dispatch.region -> (tensor<4x16xf32>) {
// CHECK:           arith.addf
// CHECK:           arith.divf
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
func.func @softmax(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %er = tensor.empty() : tensor<4x1xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %fl = linalg.fill ins(%low : f32) outs(%er : tensor<4x1xf32>) -> tensor<4x1xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x16xf32>) outs(%fl : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x1xf32>
  %sub = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4x16xf32>, tensor<4x1xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sub : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%er : tensor<4x1xf32>) -> tensor<4x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<4x16xf32>) outs(%fz : tensor<4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x1xf32>
  %div = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<4x16xf32>, tensor<4x1xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.divf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  return %div : tensor<4x16xf32>
}

// -----

// Sizes are told from outside values, and asking for a size is no use of the data.
// CHECK-LABEL: func @dynamic
// CHECK-SAME:    %[[A:[a-z0-9]*]]: tensor<?x8xf32>
// CHECK:         %[[D:.*]] = tensor.dim %[[A]]
// CHECK:         %[[R:.*]] = flow.dispatch.region -> (tensor<?x32xf32>{%[[D]]}) {
// CHECK:           linalg.matmul
// CHECK:           linalg.exp
// CHECK-NOT:       tensor.dim
// CHECK:         }
// CHECK:         return %[[R]], %[[D]]
func.func @dynamic(%a: tensor<?x8xf32>, %b: tensor<8x32xf32>) -> (tensor<?x32xf32>, index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.dim %a, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%d) : tensor<?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x32xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  %dm = tensor.dim %m, %c0 : tensor<?x32xf32>
  %em = tensor.empty(%dm) : tensor<?x32xf32>
  %x = linalg.exp ins(%m : tensor<?x32xf32>) outs(%em : tensor<?x32xf32>) -> tensor<?x32xf32>
  %dx = tensor.dim %x, %c0 : tensor<?x32xf32>
  return %x, %dx : tensor<?x32xf32>, index
}

// -----

// Bodies of loops form dispatches of their own; cheap producers are cloned across blocks.
// CHECK-LABEL: func @nested
// CHECK-NOT:     linalg.fill
// CHECK:         scf.for
// CHECK:           %[[R:.*]] = flow.dispatch.region -> (tensor<8x8xf32>) {
// CHECK:             linalg.fill
// CHECK:             linalg.matmul
// CHECK:           scf.yield %[[R]]
func.func @nested(%a: tensor<8x8xf32>, %lb: index, %ub: index, %step: index) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %a) -> tensor<8x8xf32> {
    %m = linalg.matmul ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %m : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Leftovers are grouped among themselves; reshapes and slices stay outside. A copy that a reshape
// reads belongs to its producer.
// CHECK-LABEL: func @leftovers
// CHECK:         %[[T:.*]] = flow.dispatch.region -> (tensor<1x8x4xf32>) {
// CHECK:           linalg.transpose
// CHECK:           linalg.exp
// CHECK:           linalg.generic
// CHECK:           flow.return
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[T]]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[C]]
// CHECK:         flow.dispatch.region -> (tensor<6x6xf32>) {
// CHECK:           tensor.pad %[[S]]
func.func @leftovers(%a: tensor<4x8xf32>) -> tensor<6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %x = linalg.exp ins(%t : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %e1 = tensor.empty() : tensor<1x8x4xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<8x4xf32>) outs(%e1 : tensor<1x8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8x4xf32>
  %c = tensor.collapse_shape %b [[0, 1], [2]] : tensor<1x8x4xf32> into tensor<8x4xf32>
  %s = tensor.extract_slice %c[0, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %p = tensor.pad %s low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %p : tensor<6x6xf32>
}

// -----

// Ops that read the root between it and its consumer move after the dispatch; ops with effects
// keep their order among themselves.
// CHECK-LABEL: func @between
// CHECK:         %[[R:.*]]:2 = flow.dispatch.region
// CHECK:           linalg.matmul
// CHECK:           linalg.exp
// CHECK:         tensor.extract %[[R]]#0
// CHECK-LABEL: func @effect_between
// CHECK:         %[[R:.*]]:2 = flow.dispatch.region
// CHECK:           linalg.matmul
// CHECK:           linalg.exp
// CHECK:         call @print(%[[R]]#0)
// CHECK-LABEL: func @effects_in_order
// CHECK:         flow.dispatch.region
// CHECK:           linalg.matmul
// CHECK-NEXT:      flow.return
// CHECK:         call @print
// CHECK:         %[[V:.*]] = call @read
// CHECK:         flow.dispatch.region
// CHECK:           linalg.add ins(%{{.*}}, %[[V]]
func.func private @print(tensor<8x8xf32>)
func.func private @read() -> tensor<8x8xf32>
func.func @between(%a: tensor<8x8xf32>, %i: index) -> (tensor<8x8xf32>, f32) {
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %v = tensor.extract %m[%i, %i] : tensor<8x8xf32>
  %x = linalg.exp ins(%m : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x, %v : tensor<8x8xf32>, f32
}
func.func @effect_between(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  func.call @print(%m) : (tensor<8x8xf32>) -> ()
  %x = linalg.exp ins(%m : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x : tensor<8x8xf32>
}
func.func @effects_in_order(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  func.call @print(%m) : (tensor<8x8xf32>) -> ()
  %v = func.call @read() : () -> tensor<8x8xf32>
  %x = linalg.add ins(%m, %v : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %x : tensor<8x8xf32>
}

// -----

// Tiles that do not line up: the consumer reads the root both ways round.
// CHECK-LABEL: func @transposed_twice
// CHECK:         flow.dispatch.region
// CHECK:           linalg.matmul
// CHECK-NEXT:      flow.return
// CHECK:         flow.dispatch.region
#n = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @transposed_twice(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#n, #t, #n], iterator_types = ["parallel", "parallel"]}
      ins(%m, %m : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// -----

// Ops on memory, existing dispatches and tiles of a forall are left alone; the forall is a dispatch.
// CHECK-LABEL: func @left_alone
// CHECK:         linalg.matmul ins(%{{.*}} : memref
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      linalg.exp
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      scf.forall
// CHECK-NOT:     flow.dispatch.region
func.func @left_alone(%m: memref<8x8xf32>, %a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  linalg.matmul ins(%m, %m : memref<8x8xf32>, memref<8x8xf32>) outs(%m : memref<8x8xf32>)
  %r = flow.dispatch.region -> (tensor<8x8xf32>) {
    %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.return %x : tensor<8x8xf32>
  }
  %t = scf.forall (%i) in (2) shared_outs(%o = %a) -> tensor<8x8xf32> {
    %off = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %s = tensor.extract_slice %o[%off, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
    %x = linalg.exp ins(%s : tensor<4x8xf32>) outs(%s : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%off, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
    }
  }
  return %r, %t : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// The first matmul feeds the second group's add through a reshape that stands after its consumer;
// together they would read each other.
// CHECK-LABEL: func @cycle_through_later_op
// CHECK-COUNT-3: flow.dispatch.region
// CHECK-NOT:     flow.dispatch.region
func.func @cycle_through_later_op(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %k1 = linalg.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.add ins(%r, %k1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %x = tensor.expand_shape %r [[0], [1, 2]] output_shape [8, 4, 2] : tensor<8x8xf32> into tensor<8x4x2xf32>
  %y = tensor.collapse_shape %x [[0], [1, 2]] : tensor<8x4x2xf32> into tensor<8x8xf32>
  %k2 = linalg.sub ins(%k1, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c, %k2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// What only starts an accumulation is computed in the dispatch of that; what others read as well is not.
// CHECK-LABEL: func @destination
// CHECK:         flow.dispatch.region
// CHECK:           %[[START:.*]] = linalg.exp
// CHECK:           linalg.matmul {{.*}} outs(%[[START]] :
// CHECK-NOT:     flow.dispatch.region
// CHECK-LABEL: func @destination_read_twice
// CHECK:         %[[START:.*]] = flow.dispatch.region
// CHECK:           linalg.exp
// CHECK:         flow.dispatch.region
// CHECK-NOT:       linalg.exp
// CHECK:           linalg.matmul {{.*}} outs(%[[START]] :
func.func @destination(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.exp ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%s : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m : tensor<8x8xf32>
}
func.func @destination_read_twice(%a: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %s = linalg.exp ins(%c : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%s : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m, %s : tensor<8x8xf32>, tensor<8x8xf32>
}

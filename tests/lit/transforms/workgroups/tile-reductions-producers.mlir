// Which producers follow into the loops.
// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fuselage-tile-reductions{tile-sizes=0,0,32})' | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// A chain of elementwise producers moves in as a whole; what initialises the result does not, though it
// is elementwise, too.
// CHECK-LABEL: func.func @chain
// CHECK:         %[[BIAS:.+]] = linalg.generic {{.*}} ins(%{{.+}} : tensor<64x64xf32>)
// CHECK-NOT:     linalg.exp
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[BIAS]])
// CHECK:           linalg.exp {{.*}} -> tensor<64x32xf32>
// CHECK:           linalg.negf {{.*}} -> tensor<64x32xf32>
// CHECK:           linalg.matmul {{.*}} outs(%[[ACC]]
func.func @chain(%a: tensor<64x96xf32>, %b: tensor<96x64xf32>, %bias: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x96xf32>
  %x = linalg.exp ins(%a : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %n = linalg.negf ins(%x : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %e2 = tensor.empty() : tensor<64x64xf32>
  %init = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : tensor<64x64xf32>) outs(%e2 : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.addf %in, %in : f32
    linalg.yield %y : f32
  } -> tensor<64x64xf32>
  %r = linalg.matmul ins(%n, %b : tensor<64x96xf32>, tensor<96x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// The same value as input and as initial value: a tile of it is computed for the input only.
// CHECK-LABEL: func.func @input_and_init
// CHECK:         %[[X:.+]] = linalg.exp {{.*}} -> tensor<64x64xf32>
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.+]] = %[[X]])
// CHECK:           %[[T:.+]] = linalg.exp {{.*}} -> tensor<64x32xf32>
// CHECK:           linalg.matmul {{.*}}ins(%[[T]], {{.*}} outs(%[[ACC]]
func.func @input_and_init(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %x = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%x, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%x : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// A producer that is used elsewhere, too, is computed there and here.
// CHECK-LABEL: func.func @multi_use
// CHECK:         %[[X:.+]] = linalg.exp {{.*}} -> tensor<64x96xf32>
// CHECK:         scf.for
// CHECK:           linalg.exp {{.*}} -> tensor<64x32xf32>
// CHECK:         return %{{.+}}, %[[X]]
func.func @multi_use(%a: tensor<64x96xf32>, %b: tensor<96x64xf32>, %c: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x96xf32>) {
  %e = tensor.empty() : tensor<64x96xf32>
  %x = linalg.exp ins(%a : tensor<64x96xf32>) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %r = linalg.matmul ins(%x, %b : tensor<64x96xf32>, tensor<96x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r, %x : tensor<64x64xf32>, tensor<64x96xf32>
}

// -----

// A producer that reduces stays where it is.
// CHECK-LABEL: func.func @reduction_producer
// CHECK:         %[[P:.+]] = scf.for
// CHECK:         scf.for
// CHECK-NOT:       linalg.matmul {{.*}} outs({{.*}} : tensor<64x32xf32>)
// CHECK:           tensor.extract_slice %[[P]]
func.func @reduction_producer(%a: tensor<64x96xf32>, %b: tensor<96x64xf32>, %c: tensor<64x64xf32>, %d: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-note @below {{the producer}}
  %p = linalg.matmul ins(%a, %b : tensor<64x96xf32>, tensor<96x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{a producer of its inputs stays before the loop: it reduces, and each step would repeat that}}
  %r = linalg.matmul ins(%p, %d : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

// What is written backwards has no slices that its tiles could be.
// CHECK-LABEL: func.func @backwards
// CHECK:         %[[P:.+]] = linalg.generic
// CHECK:         scf.for
// CHECK:           tensor.extract_slice %[[P]]
// CHECK:           linalg.matmul
func.func @backwards(%x: tensor<128x16xf32>, %b: tensor<128x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x128xf32>
  // expected-note @below {{the producer}}
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, 127 - d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x16xf32>) outs(%e : tensor<16x128xf32>) {
  ^bb0(%in: f32, %o: f32):
    linalg.yield %in : f32
  } -> tensor<16x128xf32>
  // expected-remark @below {{a producer of its inputs stays before the loop: its tiles cannot be computed on their own}}
  %r = linalg.matmul ins(%p, %b : tensor<16x128xf32>, tensor<128x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// -----

// Unaligned and dynamic depths: the last step is shorter.
// CHECK-LABEL: func.func @unaligned
// CHECK:         scf.for %[[K:.+]] = %c0 to %c100 step %c32
// CHECK:           %[[LEFT:.+]] = affine.min #{{.+}}(%[[K]])
// CHECK:           tensor.extract_slice %{{.+}}[0, %[[K]]] [64, %[[LEFT]]]
// CHECK-NOT:       scf.for
// CHECK:         return
func.func @unaligned(%a: tensor<64x100xf32>, %b: tensor<100x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x100xf32>, tensor<100x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

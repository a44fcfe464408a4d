// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-fuse-horizontal))' | FileCheck %s

// Two products of one input and their biases: two ops with two results each.

// CHECK-LABEL: func.func @siblings
// CHECK:         %[[M:.*]]:2 = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-SAME:      ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x5xf32>, tensor<8x5xf32>)
// CHECK-NOT:     linalg.matmul
// CHECK:         %[[B:.*]]:2 = linalg.generic
// CHECK-SAME:      ins(%[[M]]#0, %{{.*}}, %[[M]]#1, %{{.*}} :
// CHECK:         return %[[B]]#0, %[[B]]#1
#id = affine_map<(d0, d1) -> (d0, d1)>
#last = affine_map<(d0, d1) -> (d1)>
func.func @siblings(%x: tensor<4x8xf32>, %w: tensor<8x5xf32>, %v: tensor<8x5xf32>, %b: tensor<5xf32>, %c: tensor<5xf32>)
    -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %m = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  %mb = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<4x5xf32>, tensor<5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  %n = linalg.matmul ins(%x, %v : tensor<4x8xf32>, tensor<8x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  %nc = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]}
      ins(%n, %c : tensor<4x5xf32>, tensor<5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %mb, %nc : tensor<4x5xf32>, tensor<4x5xf32>
}

// -----

// CHECK-LABEL: func.func @refused
// CHECK-COUNT-3: linalg.matmul
func.func @refused(%x: tensor<8x8xf32>, %w: tensor<8x5xf32>, %c: tensor<8x5xf32>, %d: tensor<8x8xf32>) -> (tensor<8x5xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %m = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x5xf32>) outs(%c : tensor<8x5xf32>) -> tensor<8x5xf32>
  // expected-remark @below {{is not merged with the op beside it: its loops have other ranges}}
  %n = linalg.matmul ins(%x, %d : tensor<8x8xf32>, tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{is not merged with the op beside it: it reads the common operand in another way}}
  %o = linalg.matmul ins(%n, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %m, %n, %o : tensor<8x5xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A chain of products of one input, and products beside it: only those that need none of the others become one.

// CHECK-LABEL: func.func @chain
// CHECK:         %[[M:.*]]:3 = linalg.generic
// CHECK:         %[[N:.*]] = linalg.matmul ins(%{{.*}}, %[[M]]#0 :
// CHECK:         %[[O:.*]] = linalg.matmul ins(%{{.*}}, %[[N]] :
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[M]]#1, %[[O]], %[[M]]#2
func.func @chain(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>, %u: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{is not merged with the op beside it: it needs the other's result, or one that must not be computed earlier}}
  %n = linalg.matmul ins(%x, %m : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %k = linalg.matmul ins(%x, %v : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{is not merged with the op beside it: it needs the other's result, or one that must not be computed earlier}}
  %o = linalg.matmul ins(%x, %n : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %l = linalg.matmul ins(%x, %u : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %k, %o, %l : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

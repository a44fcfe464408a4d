// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-fuse-attention))' | FileCheck %s

// The scores exist tile by tile only.

// CHECK-LABEL: func.func @attention
// CHECK-NOT:     tensor<2x64x96xf32>
// CHECK:         flow.dispatch.region -> (tensor<2x64x16xf32>)
// CHECK:           scf.forall (%{{.*}}, %{{.*}}) in (2, 2)
// CHECK:             scf.for {{.*}} iter_args({{.*}}) -> (tensor<32xf32>, tensor<32xf32>, tensor<32x16xf32>)
// CHECK:               linalg.generic {{.*}} outs(%{{.*}} : tensor<32x32xf32>)
// CHECK:               arith.maximumf
// CHECK:               math.exp
// CHECK:               scf.yield
// CHECK:             arith.divf
// CHECK:             tensor.parallel_insert_slice
// CHECK:           mapping = [#gpu.block<y>, #gpu.block<x>]
func.func @attention(%q: tensor<2x64x8xf32>, %k: tensor<2x8x96xf32>, %v: tensor<2x96x16xf32>) -> tensor<2x64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x64x96xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x64x8xf32>, tensor<2x8x96xf32>) outs(%fs : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x64x96xf32>) outs(%es : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
  %e = tensor.empty() : tensor<2x64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x64x96xf32>, tensor<2x96x16xf32>) outs(%f : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  return %r : tensor<2x64x16xf32>
}

// -----

func.func @also_returned(%q: tensor<64x8xf32>, %k: tensor<8x96xf32>, %v: tensor<96x16xf32>) -> (tensor<64x16xf32>, tensor<64x96xf32>) {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<64x96xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x8xf32>, tensor<8x96xf32>) outs(%fs : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<64x96xf32>) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{is not fused with the softmax that it reads: the probabilities are read by others as well}}
  %r = linalg.matmul ins(%p, %v : tensor<64x96xf32>, tensor<96x16xf32>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r, %p : tensor<64x16xf32>, tensor<64x96xf32>
}

// -----

func.func @along_rows(%q: tensor<64x8xf32>, %k: tensor<8x96xf32>, %v: tensor<96x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<64x96xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x8xf32>, tensor<8x96xf32>) outs(%fs : tensor<64x96xf32>) -> tensor<64x96xf32>
  %p = linalg.softmax dimension(0) ins(%s : tensor<64x96xf32>) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{is not fused with the softmax that it reads: the product with the values does not sum over the keys alone}}
  %r = linalg.matmul ins(%p, %v : tensor<64x96xf32>, tensor<96x16xf32>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}

// -----

func.func @no_scores(%s: tensor<64x96xf32>, %v: tensor<96x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<64x96xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<64x96xf32>) outs(%es : tensor<64x96xf32>) -> tensor<64x96xf32>
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  // expected-remark @below {{is not fused with the softmax that it reads: the softmax is not taken of a product that starts at 0}}
  %r = linalg.matmul ins(%p, %v : tensor<64x96xf32>, tensor<96x16xf32>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}

// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-batch-matmul-to-matmul))' | FileCheck %s

// CHECK-LABEL: func.func @one
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x5xf32>)
// CHECK-NOT:     linalg.batch_matmul
func.func @one(%a: tensor<1x4x8xf32>, %b: tensor<1x8x5xf32>, %c: tensor<1x4x5xf32>) -> tensor<1x4x5xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<1x4x8xf32>, tensor<1x8x5xf32>) outs(%c : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  return %r : tensor<1x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @many
// CHECK-NEXT:    linalg.batch_matmul
func.func @many(%a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>, %c: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x5xf32>) outs(%c : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// -----

// CHECK-LABEL: func.func @unknown
// CHECK-NEXT:    linalg.batch_matmul
func.func @unknown(%a: tensor<?x4x8xf32>, %b: tensor<?x8x5xf32>, %c: tensor<?x4x5xf32>) -> tensor<?x4x5xf32> {
  // expected-remark @below {{stays a batch: its size is not known to be 1}}
  %r = linalg.batch_matmul ins(%a, %b : tensor<?x4x8xf32>, tensor<?x8x5xf32>) outs(%c : tensor<?x4x5xf32>) -> tensor<?x4x5xf32>
  return %r : tensor<?x4x5xf32>
}

// -----

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#bt = affine_map<(b, m, n, k) -> (b, n, k)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @own_maps(%a: tensor<1x4x8xf32>, %b: tensor<1x5x8xf32>, %c: tensor<1x4x5xf32>) -> tensor<1x4x5xf32> {
  // expected-remark @below {{stays a batch: its operands have indexing maps of their own}}
  %r = linalg.batch_matmul indexing_maps = [#a, #bt, #c] ins(%a, %b : tensor<1x4x8xf32>, tensor<1x5x8xf32>) outs(%c : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  return %r : tensor<1x4x5xf32>
}

// -----

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#b = affine_map<(b, m, n, k) -> (b, k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
// CHECK-LABEL: func.func @contract
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x5xf32>)
func.func @contract(%a: tensor<1x4x8xf32>, %b: tensor<1x8x5xf32>, %c: tensor<1x4x5xf32>) -> tensor<1x4x5xf32> {
  %r = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<1x4x8xf32>, tensor<1x8x5xf32>) outs(%c : tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
  return %r : tensor<1x4x5xf32>
}

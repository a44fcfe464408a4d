// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(fuselage-absorb-transpose))' | FileCheck %s

// The weight is read as it is stored.

// CHECK-DAG: #[[BT:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @weight
// CHECK-SAME:      %{{.*}}: tensor<4x8xf32>, %[[W:.*]]: tensor<16x8xf32>
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.matmul indexing_maps = [#{{.*}}, #[[BT]], #{{.*}}] ins(%{{.*}}, %[[W]] :
func.func @weight(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%x, %t : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

// The product writes in the order that its only reader wants: the operands change sides.

// CHECK-LABEL: func.func @result
// CHECK-SAME:      %[[X:[^:]*]]: tensor<4x8xf32>, %[[W:[^:]*]]: tensor<8x16xf32>
// CHECK:         linalg.fill {{.*}} -> tensor<16x4xf32>
// CHECK:         linalg.matmul indexing_maps = {{.*}} ins(%[[W]], %[[X]] : tensor<8x16xf32>, tensor<4x8xf32>)
// CHECK-NOT:     linalg.transpose
func.func @result(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<16x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  %et = tensor.empty() : tensor<16x4xf32>
  %t = linalg.transpose ins(%r : tensor<4x16xf32>) outs(%et : tensor<16x4xf32>) permutation = [1, 0]
  return %t : tensor<16x4xf32>
}

// -----

// CHECK-LABEL: func.func @refused
// CHECK:         linalg.generic
// CHECK:         linalg.matmul
// CHECK:         linalg.transpose
#unit = affine_map<(d0, d1) -> (0, d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @refused(%x: tensor<4x8xf32>, %row: tensor<1x8xf32>, %c: tensor<4x16xf32>) -> (tensor<16x4xf32>, tensor<4x16xf32>) {
  %e = tensor.empty() : tensor<8x16xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]}
      ins(%row : tensor<1x8xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x16xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %et = tensor.empty() : tensor<16x4xf32>
  // expected-remark @below {{stays after the contraction: others read the contraction in its own order}}
  %t = linalg.transpose ins(%r : tensor<4x16xf32>) outs(%et : tensor<16x4xf32>) permutation = [1, 0]
  return %t, %r : tensor<16x4xf32>, tensor<4x16xf32>
}

// -----

// An accumulator would have to be transposed as well.

func.func @accumulates(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<16x4xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %et = tensor.empty() : tensor<16x4xf32>
  // expected-remark @below {{stays after the contraction: the contraction adds to a tensor}}
  %t = linalg.transpose ins(%r : tensor<4x16xf32>) outs(%et : tensor<16x4xf32>) permutation = [1, 0]
  return %t : tensor<16x4xf32>
}

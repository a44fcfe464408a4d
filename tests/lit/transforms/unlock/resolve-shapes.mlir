// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-resolve-shapes))' | FileCheck %s

// One size is computed: the number of elements tells it.
// CHECK-LABEL: @split
// CHECK-SAME: (%[[X:.*]]: tensor<1x?x768xf32>, %[[N:.*]]: i64)
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[N]]
// CHECK: tensor.expand_shape %[[X]] {{\[\[0\], \[1\], \[2, 3\]\]}} output_shape [1, %[[SIZE]], 12, 64]
func.func @split(%x: tensor<1x?x768xf32>, %n: i64) -> tensor<1x?x12x64xf32> {
  %c1 = arith.constant 1 : i64
  %c12 = arith.constant 12 : i64
  %c64 = arith.constant 64 : i64
  %s = tensor.from_elements %c1, %n, %c12, %c64 : tensor<4xi64>
  %r = tensor.reshape %x(%s) : (tensor<1x?x768xf32>, tensor<4xi64>) -> tensor<1x?x12x64xf32>
  return %r : tensor<1x?x12x64xf32>
}

// CHECK-LABEL: @join
// CHECK-SAME: (%[[X:.*]]: tensor<1x?x12x64xf32>
// CHECK: tensor.collapse_shape %[[X]] {{\[\[0\], \[1\], \[2, 3\]\]}}
func.func @join(%x: tensor<1x?x12x64xf32>, %s: tensor<3xi64>) -> tensor<1x?x768xf32> {
  %r = tensor.reshape %x(%s) : (tensor<1x?x12x64xf32>, tensor<3xi64>) -> tensor<1x?x768xf32>
  return %r : tensor<1x?x768xf32>
}

// Of two computed sizes one is that of the source.
// CHECK-LABEL: @one_known
// CHECK: tensor.collapse_shape
// CHECK-LABEL: @none_known
// CHECK: tensor.reshape
func.func @one_known(%x: tensor<?x?x12x64xf32>, %n: index) -> tensor<?x?x768xf32> {
  %c0 = arith.constant 0 : index
  %c768 = arith.constant 768 : index
  %d = tensor.dim %x, %c0 : tensor<?x?x12x64xf32>
  %s = tensor.from_elements %d, %n, %c768 : tensor<3xindex>
  %r = tensor.reshape %x(%s) : (tensor<?x?x12x64xf32>, tensor<3xindex>) -> tensor<?x?x768xf32>
  return %r : tensor<?x?x768xf32>
}
func.func @none_known(%x: tensor<?x?x12x64xf32>, %m: index, %n: index) -> tensor<?x?x768xf32> {
  %c768 = arith.constant 768 : index
  %s = tensor.from_elements %m, %n, %c768 : tensor<3xindex>
  %r = tensor.reshape %x(%s) : (tensor<?x?x12x64xf32>, tensor<3xindex>) -> tensor<?x?x768xf32>
  return %r : tensor<?x?x768xf32>
}

// CHECK-LABEL: @other_order
// CHECK: tensor.reshape
func.func @other_order(%x: tensor<1x?x6xf32>, %s: tensor<4xi64>) -> tensor<1x?x4x2xf32> {
  %r = tensor.reshape %x(%s) : (tensor<1x?x6xf32>, tensor<4xi64>) -> tensor<1x?x4x2xf32>
  return %r : tensor<1x?x4x2xf32>
}

// The size of what is computed is that of its destination; what was only asked for its size goes.
// CHECK-LABEL: @size
// CHECK-SAME: (%{{.*}}: tensor<?x4xf32>, %[[N:.*]]: index)
// CHECK-NOT: tensor.collapse_shape
// CHECK: return %{{.*}}, %[[N]], %{{.*}}
func.func @size(%x: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, index, index) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %r = linalg.exp ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %flat = tensor.collapse_shape %r [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %whole = tensor.dim %flat, %c0 : tensor<?xf32>
  %rows = tensor.dim %r, %c0 : tensor<?x4xf32>
  return %r, %rows, %whole : tensor<?x4xf32>, index, index
}

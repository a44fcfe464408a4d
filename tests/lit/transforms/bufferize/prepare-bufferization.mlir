// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-prepare-bufferization{max-shared=2}))' | FileCheck %s
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-prepare-bufferization,fuselage-prepare-dispatches),one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},expand-strided-metadata)' | FileCheck %s --check-prefix=BUFFERS
// RUN: not fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-prepare-bufferization{max-shared=0}))' 2>&1 | FileCheck %s --check-prefix=NONE

// NONE: error: max-shared must be at least 1, not 0

// Two ops share an empty tensor each, which stands before the first of them; a loop is one op.
// CHECK-LABEL: func.func @shared
//       CHECK:   %[[FIRST:.+]] = tensor.empty() : tensor<4xf32>
//       CHECK:   linalg.exp {{.*}} outs(%[[FIRST]] :
//       CHECK:   linalg.exp {{.*}} outs(%[[FIRST]] :
//       CHECK:   %[[SECOND:.+]] = tensor.empty() : tensor<4xf32>
//       CHECK:   scf.for
//       CHECK:     linalg.exp {{.*}} outs(%[[SECOND]] :
//       CHECK:     linalg.exp {{.*}} outs(%[[SECOND]] :
//       CHECK:   linalg.exp {{.*}} outs(%[[SECOND]] :
//       CHECK:   %[[THIRD:.+]] = tensor.empty() : tensor<4xf32>
//       CHECK:   linalg.exp {{.*}} outs(%[[THIRD]] :
func.func @shared(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = scf.for %i = %c0 to %n step %c1 iter_args(%t = %b) -> tensor<4xf32> {
    %u = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %v = linalg.exp ins(%u : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %v : tensor<4xf32>
  }
  %d = linalg.exp ins(%c : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.exp ins(%d : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
}

// A kept dimension of one element has a stride of its own in the source, which says nothing.
// CHECK-LABEL: func.func @strides
//       CHECK:   tensor.extract_slice %{{.+}}[%{{.+}}, %{{.+}}] [1, 1] [1, 1] : tensor<4x8xf32> to tensor<1xf32>
//       CHECK:   tensor.extract_slice %{{.+}}[0, 0] [4, 1] [1, 1] : tensor<4x8xf32> to tensor<4xf32>
//       CHECK:   tensor.extract_slice %{{.+}}[0, 0] [2, 4] [3, 2] : tensor<4x8xf32> to tensor<2x4xf32>
//       CHECK:   tensor.insert_slice %{{.+}} into %{{.+}}[%{{.+}}, %{{.+}}] [1, 1] [1, 1] : tensor<1xf32> into tensor<4x8xf32>
// BUFFERS-LABEL: func.func @strides
//       BUFFERS:   memref.reinterpret_cast
func.func @strides(%x: tensor<4x8xf32>, %i: index, %j: index, %s: index)
    -> (tensor<1xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4x8xf32>) {
  %a = tensor.extract_slice %x[%i, %j] [1, 1] [1, 2] : tensor<4x8xf32> to tensor<1xf32>
  %b = tensor.extract_slice %x[0, 0] [4, 1] [1, %s] : tensor<4x8xf32> to tensor<4xf32>
  %c = tensor.extract_slice %x[0, 0] [2, 4] [3, 2] : tensor<4x8xf32> to tensor<2x4xf32>
  %d = tensor.insert_slice %a into %x[%i, %j] [1, 1] [5, 7] : tensor<1xf32> into tensor<4x8xf32>
  return %a, %b, %c, %d : tensor<1xf32>, tensor<4xf32>, tensor<2x4xf32>, tensor<4x8xf32>
}

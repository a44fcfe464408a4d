// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=8}))' | FileCheck %s

// Dynamic sizes: the tile is a multiple of the static rows, also the last one.
// CHECK-LABEL: func.func @collapse_dynamic
// CHECK:         scf.for %[[I:[^ ]+]] =
// CHECK:           tensor.extract_slice %{{.+}}[%{{.+}}, 0] [%{{.+}}, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
// CHECK:           linalg.negf
// CHECK:           tensor.collapse_shape {{.*}} : tensor<?x4xf32> into tensor<?xf32>
// CHECK:           linalg.exp
// CHECK-NOT:     linalg
func.func @collapse_dynamic(%x: tensor<?x4xf32>, %init: tensor<?x4xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.negf ins(%x : tensor<?x4xf32>) outs(%init : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %d0 = arith.constant 0 : index
  %n = tensor.dim %x, %d0 : tensor<?x4xf32>
  %m = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%n]
  %s = tensor.extract_slice %out[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  %2 = linalg.exp ins(%1 : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=8,8}))' | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=8,8 loop-type=forall}))' | FileCheck %s --check-prefix=FORALL

// A transpose, a slice of it, and an op on that: one loop nest, one slice of the argument.
// CHECK-LABEL: func.func @slice_between
// CHECK-SAME:    (%[[X:.+]]: tensor<64x32xf32>)
// CHECK-NOT:     linalg
// CHECK:         scf.for %[[I:[^ ]+]] =
// CHECK-NEXT:      scf.for %[[J:[^ ]+]] =
// CHECK-DAG:         %[[AT_I:.+]] = affine.apply {{.*}}[%[[I]]]
// CHECK-DAG:         %[[AT_J:.+]] = affine.apply {{.*}}[%[[J]]]
// CHECK:             %[[TILE:.+]] = tensor.extract_slice %[[X]][%[[AT_J]], %[[AT_I]]] [8, 8] [1, 1]
// CHECK:             linalg.transpose ins(%[[TILE]] :
// CHECK:             linalg.exp
// CHECK:             tensor.insert_slice
// CHECK-NOT:     linalg
// FORALL-LABEL: func.func @slice_between
// FORALL-NOT:     linalg
// FORALL:         scf.forall
// FORALL:           linalg.transpose
// FORALL:           linalg.exp
// FORALL:           scf.forall.in_parallel
// FORALL-NOT:     linalg
// FORALL:         return
func.func @slice_between(%x: tensor<64x32xf32>) -> tensor<24x24xf32> {
  %e0 = tensor.empty() : tensor<32x64xf32>
  %0 = linalg.transpose ins(%x : tensor<64x32xf32>) outs(%e0 : tensor<32x64xf32>) permutation = [1, 0]
  %1 = tensor.extract_slice %0[4, 16] [24, 24] [1, 1] : tensor<32x64xf32> to tensor<24x24xf32>
  %e1 = tensor.empty() : tensor<24x24xf32>
  %2 = linalg.exp ins(%1 : tensor<24x24xf32>) outs(%e1 : tensor<24x24xf32>) -> tensor<24x24xf32>
  return %2 : tensor<24x24xf32>
}

// -----

// Slices of slices, one with strides and one without a dimension, are one slice of the argument.
// CHECK-LABEL: func.func @slices_of_slices
// CHECK-SAME:    (%[[X:.+]]: tensor<4x64x64xf32>)
// CHECK:         tensor.extract_slice %[[X]][2, %{{.+}}, %{{.+}}] [1, 8, 8] [1, 2, 3] : tensor<4x64x64xf32> to tensor<8x8xf32>
// CHECK-NEXT:    tensor.extract_slice %{{.+}} [8, 8] [1, 1] : tensor<16x16xf32>
// CHECK-NEXT:    linalg.exp
// CHECK-NOT:     tensor.extract_slice
func.func @slices_of_slices(%x: tensor<4x64x64xf32>) -> tensor<16x16xf32> {
  %0 = tensor.extract_slice %x[0, 4, 1] [4, 30, 20] [1, 2, 3] : tensor<4x64x64xf32> to tensor<4x30x20xf32>
  %1 = tensor.extract_slice %0[2, 3, 4] [1, 16, 16] [1, 1, 1] : tensor<4x30x20xf32> to tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x16xf32>
  %2 = linalg.exp ins(%1 : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}

// -----

// Through a reshape to more dimensions: tiles are rows of the source.
// CHECK-LABEL: func.func @expand_between
// CHECK-SAME:    (%[[X:.+]]: tensor<128x32xf32>)
// CHECK-NOT:     linalg
// CHECK:         scf.for %[[I:[^ ]+]] =
// CHECK:           scf.for %[[J:[^ ]+]] =
// CHECK:             %[[AT:.+]] = affine.apply {{.*}}(%[[J]])
// CHECK:             %[[TILE:.+]] = tensor.extract_slice %[[X]][%[[AT]], %[[I]]] [64, 8] [1, 1]
// CHECK:             %[[T:.+]] = linalg.transpose ins(%[[TILE]] :
// CHECK:             %[[E:.+]] = tensor.expand_shape %[[T]] {{\[\[}}0], [1, 2]] output_shape [8, 8, 8]
// CHECK:             linalg.exp ins(%[[E]] :
// CHECK-NOT:     linalg
func.func @expand_between(%x: tensor<128x32xf32>) -> tensor<32x16x8xf32> {
  %e0 = tensor.empty() : tensor<32x128xf32>
  %0 = linalg.transpose ins(%x : tensor<128x32xf32>) outs(%e0 : tensor<32x128xf32>) permutation = [1, 0]
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [32, 16, 8] : tensor<32x128xf32> into tensor<32x16x8xf32>
  %e1 = tensor.empty() : tensor<32x16x8xf32>
  %2 = linalg.exp ins(%1 : tensor<32x16x8xf32>) outs(%e1 : tensor<32x16x8xf32>) -> tensor<32x16x8xf32>
  return %2 : tensor<32x16x8xf32>
}

// -----

// Through a reshape to fewer dimensions: a tile within one row, and its position divided.
// CHECK-LABEL: func.func @collapse_between
// CHECK-SAME:    (%[[X:.+]]: tensor<8x32x16xf32>)
// CHECK-NOT:     linalg
// CHECK:         scf.for %[[I:[^ ]+]] =
// CHECK:           scf.for %[[J:[^ ]+]] =
// CHECK-DAG:         %[[ROW:.+]] = affine.apply {{.*}}(%[[J]])
// CHECK-DAG:         %[[IN_ROW:.+]] = affine.apply {{.*}}(%[[J]])
// CHECK:             %[[TILE:.+]] = tensor.extract_slice %[[X]][%[[ROW]], %[[I]], %[[IN_ROW]]] [1, 8, 8] [1, 1, 1]
// CHECK:             %[[T:.+]] = linalg.transpose ins(%[[TILE]] :
// CHECK:             %[[C:.+]] = tensor.collapse_shape %[[T]] {{\[\[}}0], [1, 2]] : tensor<8x1x8xf32> into tensor<8x8xf32>
// CHECK:             linalg.exp ins(%[[C]] :
// CHECK-NOT:     linalg
func.func @collapse_between(%x: tensor<8x32x16xf32>) -> tensor<32x128xf32> {
  %e0 = tensor.empty() : tensor<32x8x16xf32>
  %0 = linalg.transpose ins(%x : tensor<8x32x16xf32>) outs(%e0 : tensor<32x8x16xf32>) permutation = [1, 0, 2]
  %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<32x8x16xf32> into tensor<32x128xf32>
  %e1 = tensor.empty() : tensor<32x128xf32>
  %2 = linalg.exp ins(%1 : tensor<32x128xf32>) outs(%e1 : tensor<32x128xf32>) -> tensor<32x128xf32>
  return %2 : tensor<32x128xf32>
}

// -----

// Read directly and by way of two reshapes, it is the same tile, and computed once. So it is for two
// results of one op.
// CHECK-LABEL: func.func @equal_tiles
// CHECK:         scf.for %[[I:[^ ]+]] =
// CHECK:           scf.for %[[J:[^ ]+]] =
// CHECK:             linalg.generic
// CHECK-NOT:         linalg.generic
// CHECK:             %[[E:.+]] = linalg.exp
// CHECK-NOT:         linalg.exp
// CHECK:             linalg.add
// CHECK:             linalg.sub
// CHECK:             linalg.mul
func.func @equal_tiles(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %p:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<32x64xf32>) outs(%e, %e : tensor<32x64xf32>, tensor<32x64xf32>) {
  ^bb0(%in: f32, %a: f32, %b: f32):
    %n = arith.negf %in : f32
    %s = arith.addf %in, %in : f32
    linalg.yield %n, %s : f32, f32
  } -> (tensor<32x64xf32>, tensor<32x64xf32>)
  %0 = linalg.exp ins(%p#0 : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [32, 8, 8] : tensor<32x64xf32> into tensor<32x8x8xf32>
  %2 = tensor.collapse_shape %1 [[0], [1, 2]] : tensor<32x8x8xf32> into tensor<32x64xf32>
  %3 = linalg.add ins(%2, %p#1 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %4 = linalg.sub ins(%0, %3 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %5 = linalg.mul ins(%4, %3 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %5 : tensor<32x64xf32>
}

// RUN: fuselage-opt %s --fuselage-map-to-gpu --canonicalize --cse | FileCheck %s

// What a reduction accumulates on starts in registers, as the fill's value: nothing is written before the sums are there, and
// nothing is read back.
// CHECK-LABEL: func.func private @matmul
// CHECK: %[[ZERO:.+]] = arith.constant 0.000000e+00
// CHECK-NOT: memref.store
// CHECK-NOT: memref.load %arg2
// CHECK: scf.for {{.*}} iter_args(%{{.+}} = %[[ZERO]], %{{.+}} = %[[ZERO]]
// CHECK: }
// CHECK: {{vector|memref}}.store
func.func private @matmul(%a: memref<32x64xf32>, %b: memref<64x32xf32>, %r: memref<32x32xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    linalg.fill ins(%zero : f32) outs(%r : memref<32x32xf32>)
    linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x32xf32>) outs(%r : memref<32x32xf32>)
  } {mapping = [#gpu.block<x>]}
  return
}

// A fill that somebody reads before stays where it is.
// CHECK-LABEL: func.func private @read_before
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: return
func.func private @read_before(%a: memref<32x64xf32>, %b: memref<64x32xf32>, %c: memref<32x32xf32>, %r: memref<32x32xf32>) attributes {fuselage.dispatch = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    linalg.fill ins(%zero : f32) outs(%r : memref<32x32xf32>)
    linalg.copy ins(%r : memref<32x32xf32>) outs(%c : memref<32x32xf32>)
    linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x32xf32>) outs(%r : memref<32x32xf32>)
  } {mapping = [#gpu.block<x>]}
  return
}

// Structured ops on memrefs become calls of functions on vectors, parallel loops tasks that threads share.
// RUN: fuselage-opt --fuselage-host-make-kernels="threads=4 vector-bytes=32 vector-registers=16 level1-bytes=32768 level2-bytes=524288 halves=0" --split-input-file %s | FileCheck %s
// RUN: fuselage-opt --fuselage-host-make-kernels="threads=4 vector-bytes=64 vector-registers=32 level1-bytes=32768 level2-bytes=524288 halves=0" --split-input-file %s | FileCheck %s --check-prefix=WIDE
// RUN: fuselage-opt --fuselage-host-make-kernels="only-loops=true threads=4" --split-input-file %s | FileCheck %s --check-prefix=LOOPS

// A vector has eight elements of f32 with AVX2, and sixteen with AVX-512.
// CHECK-LABEL: func.func @matmul
//       CHECK:   call @fuselage.kernel.0.all
//   CHECK-NOT:   linalg
//       CHECK: func.func private @fuselage.kernel.0.tasks
//       CHECK:   vector<8xf32>
//       CHECK: func.func private @fuselage.kernel.0.all
//  CHECK-SAME:   fuselage.tasks = {count = 24 : i64, function = @fuselage.kernel.0.tasks, portion = 2 : i64}
// WIDE: vector<16xf32>
// LOOPS-LABEL: func.func @matmul
// LOOPS: linalg.matmul
func.func @matmul(%a: memref<64x48xf32>, %b: memref<48x96xf32>, %c: memref<64x96xf32>) {
  linalg.matmul ins(%a, %b : memref<64x48xf32>, memref<48x96xf32>) outs(%c : memref<64x96xf32>)
  return
}

// -----

// Sizes that are known only when it runs are left to the plain lowering.
// CHECK-LABEL: func.func @dynamic
// CHECK: linalg.exp
func.func @dynamic(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}

// -----

// LOOPS-LABEL: func.func @beside
//       LOOPS:   call @fuselage.kernel.0.all
//   LOOPS-NOT:   scf.forall
//       LOOPS: func.func private @fuselage.kernel.0.all
//  LOOPS-SAME:   fuselage.tasks = {count = 32 : i64
func.func @beside(%a: memref<32xf32>) {
  %one = arith.constant 1.0 : f32
  scf.forall (%i) in (32) {
    %x = memref.load %a[%i] : memref<32xf32>
    %y = arith.addf %x, %one : f32
    memref.store %y, %a[%i] : memref<32xf32>
  }
  return
}

// Structured ops on memrefs become calls of functions on vectors, parallel loops tasks that threads share.
// RUN: fuselage-opt --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<language = host, subgroup_size = 8, registers_per_thread = 128, compute_units = 4, first_cache_bytes = 32768, second_cache_bytes = 524288>'},fuselage-host-make-kernels)" --split-input-file %s | FileCheck %s
// RUN: fuselage-opt --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<language = host, subgroup_size = 16, registers_per_thread = 512, compute_units = 4, first_cache_bytes = 32768, second_cache_bytes = 524288>'},fuselage-host-make-kernels)" --split-input-file %s | FileCheck %s --check-prefix=WIDE
// RUN: fuselage-opt --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<language = host, subgroup_size = 8, registers_per_thread = 128, compute_units = 4, first_cache_bytes = 32768, second_cache_bytes = 524288>'},fuselage-host-make-kernels{only-loops=true})" --split-input-file %s | FileCheck %s --check-prefix=LOOPS

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

// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-map-to-gpu),canonicalize)' | FileCheck %s

// The innermost loop is x. The tile is workgroup memory, complete before other threads read it.
// CHECK-LABEL: func.func @exp_transposed
// CHECK-DAG:     %[[ROWS:.+]] = arith.constant 8 : index
// CHECK-DAG:     %[[COLUMNS:.+]] = arith.constant 2 : index
// CHECK-DAG:     %[[THREADS:.+]] = arith.constant 32 : index
// CHECK-NOT:     scf.forall
// CHECK:         gpu.launch blocks(%[[X:.+]], %[[Y:.+]], %{{.+}}) in (%{{.+}} = %[[COLUMNS]], %{{.+}} = %[[ROWS]], %{{.+}}) threads(%[[T:.+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[THREADS]],
// CHECK:           %[[TILE:.+]] = memref.alloc() : memref<1x32xf32, #gpu.address_space<workgroup>>
// CHECK:           memref.subview %{{.+}}[%[[Y]], %{{.+}}]
// CHECK:           math.exp
// CHECK-NEXT:      memref.store %{{.+}}, %[[TILE]]
// CHECK-NEXT:      gpu.barrier
// CHECK:           memref.load %[[TILE]]
// CHECK-NOT:       gpu.barrier
// CHECK:           gpu.terminator
func.func @exp_transposed(%a: memref<8x64xf32>, %b: memref<8x64xf32>) attributes {fuselage.dispatch = 0 : i64} {
  scf.forall (%i, %j) in (8, 2) {
    %column = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %from = memref.subview %a[%i, %column] [1, 32] [1, 1] : memref<8x64xf32> to memref<1x32xf32, strided<[64, 1], offset: ?>>
    %to = memref.subview %b[%i, %column] [1, 32] [1, 1] : memref<8x64xf32> to memref<1x32xf32, strided<[64, 1], offset: ?>>
    %tile = memref.alloc() : memref<1x32xf32>
    linalg.exp ins(%from : memref<1x32xf32, strided<[64, 1], offset: ?>>) outs(%tile : memref<1x32xf32>)
    linalg.copy ins(%tile : memref<1x32xf32>) outs(%to : memref<1x32xf32, strided<[64, 1], offset: ?>>)
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// -----

// Threads hold a small tile of results each, in registers from the first step to the last.
// CHECK-LABEL: func.func @matmul
// CHECK:         gpu.launch
// CHECK:           %[[SUMS:.+]]:8 = scf.for
// CHECK-NOT:         memref.store
// CHECK-COUNT-8:     arith.mulf
// CHECK-NOT:         memref.store
// CHECK:             scf.yield
// CHECK:           memref.store %[[SUMS]]#0
// CHECK:           memref.store %[[SUMS]]#7
func.func @matmul(%a: memref<32x16xf32>, %b: memref<16x32xf32>, %c: memref<32x32xf32>) attributes {fuselage.dispatch = 0 : i64} {
  scf.forall (%i) in (2) {
    %row = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %lhs = memref.subview %a[%row, 0] [16, 16] [1, 1] : memref<32x16xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
    %out = memref.subview %c[%row, 0] [16, 32] [1, 1] : memref<32x32xf32> to memref<16x32xf32, strided<[32, 1], offset: ?>>
    linalg.matmul ins(%lhs, %b : memref<16x16xf32, strided<[16, 1], offset: ?>>, memref<16x32xf32>)
        outs(%out : memref<16x32xf32, strided<[32, 1], offset: ?>>)
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// An axis ends at 65535: a longer one is folded, and what is beyond the end does nothing.
// CHECK-LABEL: func.func @long_axis
// CHECK-DAG:     %[[COUNT:.+]] = arith.constant 70000 : index
// CHECK-DAG:     %[[LIMIT:.+]] = arith.constant 65535 : index
// CHECK:         gpu.launch blocks(%[[X:.+]], %[[Y:.+]], %{{.+}}) in (%{{.+}} = %[[LIMIT]], %{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) threads
// CHECK:           %[[BEFORE:.+]] = arith.muli %[[Y]], %[[LIMIT]]
// CHECK:           %[[ID:.+]] = arith.addi %[[BEFORE]], %[[X]]
// CHECK:           %[[INSIDE:.+]] = arith.cmpi ult, %[[ID]], %[[COUNT]]
// CHECK:           scf.if %[[INSIDE]]
// CHECK:             memref.subview %{{.+}}[%[[ID]], 0]
func.func @long_axis(%a: memref<70000x2xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (70000) {
    %row = memref.subview %a[%i, 0] [1, 2] [1, 1] : memref<70000x2xf32> to memref<1x2xf32, strided<[2, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%row : memref<1x2xf32, strided<[2, 1], offset: ?>>)
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// CHECK-LABEL: func.func @no_iterations
// CHECK-NEXT:    return
func.func @no_iterations(%a: memref<4xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) = (4) to (4) step (1) {
    memref.store %zero, %a[%i] : memref<4xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// CHECK-LABEL: func.func @unmapped
// CHECK-NOT:     gpu.launch
// CHECK:         scf.forall
func.func @unmapped(%a: memref<4xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (4) {
    memref.store %zero, %a[%i] : memref<4xf32>
  }
  return
}

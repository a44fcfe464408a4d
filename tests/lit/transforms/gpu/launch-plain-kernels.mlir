// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(fuselage-launch-plain-kernels{threads=64}),canonicalize)' | FileCheck %s

// A thread a sum, in a register; the second workgroup is not full.
// CHECK-LABEL: func.func @sums
// CHECK-DAG:     %[[COUNT:.+]] = arith.constant 100 : index
// CHECK-DAG:     %[[THREADS:.+]] = arith.constant 64 : index
// CHECK-DAG:     %[[GROUPS:.+]] = arith.constant 2 : index
// CHECK:         gpu.launch blocks(%[[B:.+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[GROUPS]], {{.+}}) threads(%[[T:.+]], %{{.+}}, %{{.+}}) in (%{{.+}} = %[[THREADS]],
// CHECK:           %[[FIRST:.+]] = arith.muli %[[B]], %[[THREADS]]
// CHECK:           %[[ID:.+]] = arith.addi %[[FIRST]], %[[T]]
// CHECK:           %[[INSIDE:.+]] = arith.cmpi ult, %[[ID]], %[[COUNT]]
// CHECK:           scf.if %[[INSIDE]]
// CHECK:             %[[SUM:.+]] = scf.for
// CHECK-NOT:           memref.store
// CHECK:               scf.yield
// CHECK:             memref.store %[[SUM]], %{{.+}}[%[[ID]]]
func.func @sums(%a: memref<100x7xf32>, %r: memref<100xf32>) attributes {fuselage.dispatch = 0 : i64} {
  linalg.reduce { arith.addf } ins(%a : memref<100x7xf32>) outs(%r : memref<100xf32>) dimensions = [1]
  return
}

// -----

// Scalar code is a kernel of one thread; what it computes goes through a buffer.
// CHECK-LABEL: func.func @scalar_code
// CHECK:         %[[SPILLED:.+]] = memref.alloc() : memref<f32>
// CHECK:         gpu.launch
// CHECK:           memref.store %{{.+}}, %[[SPILLED]][]
// CHECK:           gpu.terminator
// CHECK:         gpu.launch
// CHECK:           %[[X:.+]] = memref.load %[[SPILLED]][]
// CHECK:           memref.store %[[X]]
// CHECK-NOT:     gpu.launch
func.func @scalar_code(%a: memref<4xf32>, %s: memref<f32>, %r: memref<4xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<4xf32>
  memref.store %x, %s[] : memref<f32>
  %y = memref.load %s[] : memref<f32>
  linalg.fill ins(%y : f32) outs(%r : memref<4xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @constant
// CHECK-NOT:     memref.get_global
// CHECK:         %[[TABLE:.+]] = memref.alloc() : memref<2xf32>
// CHECK:         gpu.launch
// CHECK-COUNT-2:   memref.store %{{.+}}, %[[TABLE]]
// CHECK:         gpu.launch
// CHECK:           memref.load %[[TABLE]]
memref.global "private" constant @table : memref<2xf32> = dense<[1.0, 2.0]>
func.func @constant(%r: memref<2xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %t = memref.get_global @table : memref<2xf32>
  memref.copy %t, %r : memref<2xf32> to memref<2xf32>
  return
}

// -----

// Memory of an iteration is a slice of a buffer that the host allocates.
// CHECK-LABEL: func.func @private_memory
// CHECK:         %[[SCRATCH:.+]] = memref.alloc() : memref<64x4xf32>
// CHECK:         gpu.launch blocks({{.+}}) in ({{.+}}) threads(%[[T:[^,]+]],
// CHECK-NOT:       memref.alloc
// CHECK:           memref.subview %[[SCRATCH]][%[[T]], 0] [1, 4]
func.func @private_memory(%a: memref<64x4xf32>, %b: memref<64x4xf32>) attributes {fuselage.dispatch = 0 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %t = memref.alloc() : memref<4xf32>
    %from = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<64x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %to = memref.subview %b[%i, 0] [1, 4] [1, 1] : memref<64x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.exp ins(%from : memref<4xf32, strided<[1], offset: ?>>) outs(%t : memref<4xf32>)
    linalg.log ins(%t : memref<4xf32>) outs(%to : memref<4xf32, strided<[1], offset: ?>>)
    scf.reduce
  }
  return
}

// -----

// CHECK-LABEL: func.func @no_dispatch
// CHECK-NEXT:    linalg.fill
func.func @no_dispatch(%r: memref<4xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%r : memref<4xf32>)
  return
}

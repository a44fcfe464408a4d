// Buffers are freed after their last use; where upstream does not know an op, nothing changes.
// RUN: fuselage-opt --fuselage-host-free-buffers --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @once
//       CHECK:   %[[MEMORY:.+]] = memref.alloc
//       CHECK:   memref.dealloc %[[MEMORY]]
func.func @once(%a: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  linalg.exp ins(%a : memref<4xf32>) outs(%m : memref<4xf32>)
  %r = memref.load %m[%c0] : memref<4xf32>
  return %r : f32
}

// -----

// CHECK-LABEL: func.func @unstructured
//   CHECK-NOT:   memref.dealloc
func.func @unstructured(%a: memref<4xf32>, %more: i1) {
  %m = memref.alloc() : memref<4xf32>
  cf.br ^loop
^loop:
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  cf.cond_br %more, ^loop, ^end
^end:
  return
}

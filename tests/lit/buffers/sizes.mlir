// Sizes that are given count as if the module had them: in the function, after ops that compute sizes, and in what it calls.
// RUN: fuselage buffers %s --function entry | FileCheck %s --check-prefix=OPEN
// RUN: fuselage buffers %s --size arg0.0=24 --size arg0.1=5 | FileCheck %s --check-prefix=GIVEN
// RUN: fuselage buffers %s --function static | FileCheck %s --check-prefix=STATIC
// RUN: fuselage buffers %s --size arg0.0=24 --format json | FileCheck %s --check-prefix=PART
// RUN: not fuselage buffers %s --size arg0.7=24 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not fuselage buffers %s --size arg0.0=24 --function nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE

// OPEN: peak memory ? B global
// GIVEN: peak memory {{.*}} global; with arg0.0 = 24, arg0.1 = 5
// GIVEN: 1.9 KiB global alloc {{.*}} entry
// GIVEN: 480 B    global  alloc {{.*}} helper
// GIVEN: ? B      global  alloc {{.*}} disputed
// GIVEN: Peak memory
// GIVEN: >= 2.3 KiB global entry
// GIVEN: 480 B    global  helper
// STATIC: 1.9 KiB  global  alloc {{.*}} static
// STATIC: Peak memory
// STATIC: 2.3 KiB  global  static
// PART: "sizes": {
// PART-NEXT: "arg0.0": 24
// PART-NEXT: }
// WRONG: @entry has no dynamic dimension arg0.7; it has arg0.0, arg0.1
// NOWHERE: there is no function 'nowhere' with a body to give sizes for

func.func @entry(%m: memref<?x?xf32>, %x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %rows = memref.dim %m, %c0 : memref<?x?xf32>
  %columns = memref.dim %m, %c1 : memref<?x?xf32>
  %more = arith.muli %rows, %c4 : index
  %a = memref.alloc(%more, %columns) : memref<?x?xf32>
  memref.store %x, %a[%i, %i] : memref<?x?xf32>
  func.call @helper(%m, %x, %i) : (memref<?x?xf32>, f32, index) -> ()
  func.call @disputed(%m, %x, %i) : (memref<?x?xf32>, f32, index) -> ()
  %s = memref.subview %m[0, 0] [%c4, %columns] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %b = memref.alloc(%c4, %columns) : memref<?x?xf32>
  memref.copy %s, %b : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
  func.call @disputed(%b, %x, %i) : (memref<?x?xf32>, f32, index) -> ()
  memref.store %x, %a[%i, %i] : memref<?x?xf32>
  return
}

func.func private @helper(%m: memref<?x?xf32>, %x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %m, %c0 : memref<?x?xf32>
  %columns = memref.dim %m, %c1 : memref<?x?xf32>
  %a = memref.alloc(%rows, %columns) : memref<?x?xf32>
  memref.store %x, %a[%i, %i] : memref<?x?xf32>
  return
}

// Called with two sizes: nobody can say which.
func.func private @disputed(%m: memref<?x?xf32>, %x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %m, %c0 : memref<?x?xf32>
  %a = memref.alloc(%rows) : memref<?xf32>
  memref.store %x, %a[%i] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

func.func @static(%m: memref<24x5xf32>, %x: f32, %i: index) {
  %a = memref.alloc() : memref<96x5xf32>
  memref.store %x, %a[%i, %i] : memref<96x5xf32>
  func.call @static_helper(%x, %i) : (f32, index) -> ()
  memref.store %x, %a[%i, %i] : memref<96x5xf32>
  return
}

func.func private @static_helper(%x: f32, %i: index) {
  %a = memref.alloc() : memref<24x5xf32>
  memref.store %x, %a[%i, %i] : memref<24x5xf32>
  return
}

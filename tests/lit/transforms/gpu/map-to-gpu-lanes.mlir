// RUN: fuselage-opt %s --fuselage-set-device=name=lavapipe --fuselage-map-to-gpu --canonicalize --cse | FileCheck %s

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// A matmul with a bias, of 16 rows and 32 columns: the accumulators start as the fill's value, each lane reads four columns of
// the right operand as a vector, eight rows of the left one are read by eight lanes and handed round, and the bias is added
// where the sums are. Nothing goes through workgroup memory, and nobody waits.
// CHECK-LABEL: func.func private @matmul
// CHECK: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c8, %{{.*}} = %c1, %{{.*}} = %c1)
// CHECK-NOT: gpu.barrier
// CHECK: scf.for {{.*}} step %c4 iter_args(%{{.+}} = %[[ZERO:.+]], %{{.+}} = %[[ZERO]],
// CHECK-COUNT-2: vector.load %{{.+}} : memref<16x64xf32{{.*}}, vector<4xf32>
// CHECK-COUNT-64: gpu.shuffle{{ +}}idx
// CHECK-NOT: gpu.barrier
// CHECK: vector.store
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func private @matmul(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %bias: memref<64xf32>, %r: memref<64x64xf32>)
    attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) in (4, 2) {
    %row = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %column = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %at = memref.subview %a[%row, 0] [16, 64] [1, 1] : memref<64x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    %bt = memref.subview %b[0, %column] [64, 32] [1, 1] : memref<64x64xf32> to memref<64x32xf32, strided<[64, 1], offset: ?>>
    %sums = memref.alloc() : memref<16x32xf32>
    linalg.fill ins(%zero : f32) outs(%sums : memref<16x32xf32>)
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%at, %bt : memref<16x64xf32, strided<[64, 1], offset: ?>>, memref<64x32xf32, strided<[64, 1], offset: ?>>)
        outs(%sums : memref<16x32xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %p = arith.mulf %x, %y : f32
      %n = arith.addf %s, %p : f32
      linalg.yield %n : f32
    }
    %biast = memref.subview %bias[%column] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    %rt = memref.subview %r[%row, %column] [16, 32] [1, 1] : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
        ins(%sums, %biast : memref<16x32xf32>, memref<32xf32, strided<[1], offset: ?>>)
        outs(%rt : memref<16x32xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %n = arith.addf %x, %y : f32
      linalg.yield %n : f32
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// A transposition moves four by four.
// CHECK-LABEL: func.func private @transpose
// CHECK-COUNT-4: vector.load
// CHECK-NOT: vector.load
// CHECK-COUNT-4: vector.store
// CHECK-NOT: memref.store
// CHECK: return
func.func private @transpose(%a: memref<32x32xf32>, %r: memref<32x32xf32>) attributes {fuselage.dispatch = 1 : i64} {
  scf.forall (%i) in (1) {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : memref<32x32xf32>) outs(%r : memref<32x32xf32>) {
    ^bb0(%x: f32, %o: f32):
      linalg.yield %x : f32
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// Seven columns: no vectors, the last lane has nothing of its own and stores nothing.
// CHECK-LABEL: func.func private @odd
// CHECK: arith.minui
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: memref.store
// CHECK-NOT: vector.
// CHECK: return
func.func private @odd(%a: memref<7xf32>, %r: memref<7xf32>) attributes {fuselage.dispatch = 2 : i64} {
  scf.forall (%i) in (1) {
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%a : memref<7xf32>) outs(%r : memref<7xf32>) {
    ^bb0(%x: f32, %o: f32):
      %n = arith.negf %x : f32
      linalg.yield %n : f32
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// Of f16 numbers 16 bytes move at once, which are eight; where f32 ones come along, these are two vectors.
// CHECK-LABEL: func.func private @narrow
// CHECK: vector.load %{{.+}} {alignment = 16 : i64} : memref<4x64xf16{{.*}}, vector<8xf16>
// CHECK-NOT: memref.load
// CHECK: arith.extf
// CHECK-COUNT-2: vector.store %{{.+}} {alignment = 16 : i64} : memref<4x64xf32{{.*}}, vector<4xf32>
// CHECK-NOT: vector.store
// CHECK: return
func.func private @narrow(%a: memref<16x64xf16>, %r: memref<16x64xf32>) attributes {fuselage.dispatch = 0 : i64} {
  scf.forall (%i) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %at = memref.subview %a[%row, 0] [4, 64] [1, 1] : memref<16x64xf16> to memref<4x64xf16, strided<[64, 1], offset: ?>>
    %rt = memref.subview %r[%row, 0] [4, 64] [1, 1] : memref<16x64xf32> to memref<4x64xf32, strided<[64, 1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%at : memref<4x64xf16, strided<[64, 1], offset: ?>>) outs(%rt : memref<4x64xf32, strided<[64, 1], offset: ?>>) {
    ^bb0(%x: f16, %o: f32):
      %n = arith.extf %x : f16 to f32
      linalg.yield %n : f32
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// Rows of 12 bytes, which are no multiple of 8, are moved in fours.
// CHECK-LABEL: func.func private @bytes
// CHECK: vector.load %{{.+}} {alignment = 4 : i64} : memref<8x12xi8>, vector<4xi8>
// CHECK-NOT: memref.load
// CHECK: vector.store %{{.+}} {alignment = 4 : i64} : memref<8x12xi8>, vector<4xi8>
// CHECK: return
func.func private @bytes(%a: memref<8x12xi8>, %r: memref<8x12xi8>) attributes {fuselage.dispatch = 0 : i64} {
  scf.forall (%i) in (1) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<8x12xi8>) outs(%r : memref<8x12xi8>) {
    ^bb0(%x: i8, %o: i8):
      %n = arith.addi %x, %x : i8
      linalg.yield %n : i8
    }
  } {mapping = [#gpu.block<x>]}
  return
}

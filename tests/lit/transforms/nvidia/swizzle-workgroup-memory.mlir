// RUN: fuselage-opt %s --fuselage-swizzle-workgroup-memory --canonicalize | FileCheck %s

// Eight threads read the first 16 bytes of each fourth row: all in the same banks. With three bits of the row in the place of
// the column they are in eight different ones.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[TILE:.+]] = memref.alloc() : memref<2048xf32, #gpu.address_space<workgroup>>
// CHECK:         arith.andi %{{.+}}, %c28
// CHECK-NEXT:    %[[TO:.+]] = arith.xori
// CHECK-NEXT:    vector.store %{{.+}}, %[[TILE]][%[[TO]]]
// CHECK:         %[[FROM:.+]] = arith.xori
// CHECK-NEXT:    vector.load %[[TILE]][%[[FROM]]]
// Where neighbours read neighbours there is nothing to gain.
// CHECK:         memref.alloc() : memref<32x128xf32, #gpu.address_space<workgroup>>
func.func @rows(%in: memref<128x16xf32>, %out: memref<32x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %tile = memref.alloc() : memref<128x16xf32, #gpu.address_space<workgroup>>
    %row = arith.divui %t, %c4 : index
    %part = arith.remui %t, %c4 : index
    %column = arith.muli %part, %c4 : index
    %v = vector.load %in[%row, %column] {alignment = 16 : i64} : memref<128x16xf32>, vector<4xf32>
    vector.store %v, %tile[%row, %column] {alignment = 16 : i64} : memref<128x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.barrier
    %fourth = arith.muli %t, %c4 : index
    %x = vector.load %tile[%fourth, %c0] {alignment = 16 : i64} : memref<128x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %flat = memref.alloc() : memref<32x128xf32, #gpu.address_space<workgroup>>
    vector.store %x, %flat[%c0, %fourth] {alignment = 16 : i64} : memref<32x128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.barrier
    %y = vector.load %flat[%c0, %fourth] {alignment = 16 : i64} : memref<32x128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %y, %out[%t, %c0] {alignment = 16 : i64} : memref<32x4xf32>, vector<4xf32>
    gpu.terminator
  }
  return
}

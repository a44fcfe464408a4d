// Long sums of floats are added up in blocks.
// RUN: fuselage-opt --fuselage-blocked-summation --canonicalize --split-input-file %s | FileCheck %s

// 1000 terms are 20 blocks of 50.
// CHECK-LABEL: func.func @known
//       CHECK:   %[[ZERO:.+]] = arith.constant -0.0{{.*}} : f32
//       CHECK:   scf.for %[[BLOCK:.+]] = %c0 to %c1000 step %[[STEP:.+]] iter_args(%[[ALL:.+]] = %{{.+}}, %[[COUNT:.+]] = %{{.+}})
//       CHECK:     %[[END:.+]] = arith.addi %[[BLOCK]], %[[STEP]]
//       CHECK:     %[[PART:.+]]:2 = scf.for %{{.+}} = %[[BLOCK]] to %[[END]] step %c1 iter_args(%[[SUM:.+]] = %[[ZERO]], %{{.+}} = %[[COUNT]])
//       CHECK:       arith.addf %[[SUM]]
//       CHECK:     %[[NEXT:.+]] = arith.addf %[[ALL]], %[[PART]]#0
//       CHECK:     scf.yield %[[NEXT]], %[[PART]]#1
func.func @known(%a: memref<1000xf32>) -> (f32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %z = arith.constant 0.0 : f32
  %i = arith.constant 0 : i32
  %r:2 = scf.for %k = %c0 to %c1000 step %c1 iter_args(%s = %z, %m = %i) -> (f32, i32) {
    %x = memref.load %a[%k] : memref<1000xf32>
    %t = arith.addf %s, %x : f32
    %u = arith.addi %m, %m : i32
    scf.yield %t, %u : f32, i32
  }
  return %r#0, %r#1 : f32, i32
}

// -----

// The last block may be short, and many blocks are blocks again.
// CHECK-LABEL: func.func @unknown
//       CHECK:   scf.for %{{.+}} = %c0 to %[[N:.+]] step
//       CHECK:     arith.minsi %{{.+}}, %[[N]]
//       CHECK:     scf.for
//       CHECK:       arith.minsi %{{.+}}, %[[N]]
//       CHECK:       scf.for
//       CHECK:         vector.fma
func.func @unknown(%b: memref<?x4xf64>, %x: vector<4xf64>, %n: index) -> vector<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : vector<4xf64>
  %q = scf.for %k = %c0 to %n step %c1 iter_args(%s = %z) -> vector<4xf64> {
    %y = vector.load %b[%k, %c0] : memref<?x4xf64>, vector<4xf64>
    %t = vector.fma %x, %y, %s : vector<4xf64>
    scf.yield %t : vector<4xf64>
  }
  return %q : vector<4xf64>
}

// -----

// A window: the innermost loop is a block, and its sum is one term of the loops around it.
// CHECK-LABEL: func.func @window
//       CHECK:   scf.for {{.+}} iter_args(%[[A:.+]] = %arg1)
//       CHECK:     scf.for {{.+}} iter_args(%[[B:.+]] = %[[A]])
//       CHECK:       %[[PART:.+]] = scf.for {{.+}} to %c64 step %c1
//       CHECK:       arith.addf %[[B]], %[[PART]]
//   CHECK-NOT:   scf.for
func.func @window(%a: memref<3x3x64xf32>, %start: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %h = %c0 to %c3 step %c1 iter_args(%s = %start) -> f32 {
    %1 = scf.for %w = %c0 to %c3 step %c1 iter_args(%t = %s) -> f32 {
      %2 = scf.for %c = %c0 to %c64 step %c1 iter_args(%u = %t) -> f32 {
        %x = memref.load %a[%h, %w, %c] : memref<3x3x64xf32>
        %v = arith.addf %u, %x : f32
        scf.yield %v : f32
      }
      scf.yield %2 : f32
    }
    scf.yield %1 : f32
  }
  return %r : f32
}

// -----

// The greatest of all, a product and short sums stay.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: scf.for
//   CHECK-NOT: scf.for
func.func @others(%a: memref<1000xf32>, %z: f32) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c1000 = arith.constant 1000 : index
  %r:2 = scf.for %k = %c0 to %c1000 step %c1 iter_args(%s = %z, %m = %z) -> (f32, f32) {
    %x = memref.load %a[%k] : memref<1000xf32>
    %t = arith.maximumf %s, %x : f32
    %u = arith.mulf %m, %x : f32
    scf.yield %t, %u : f32, f32
  }
  %q = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %z) -> f32 {
    %x = memref.load %a[%k] : memref<1000xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r#0, %r#1, %q : f32, f32, f32
}

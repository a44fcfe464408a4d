// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(func.func(fuselage-scalarize-vectors),canonicalize,cse)" | FileCheck %s

// What is masked is read under a condition; what is repeated is read once.
// CHECK-LABEL: func.func @masked
// CHECK-NOT: vector
// CHECK: %[[IN:.*]] = arith.cmpi {{.*}} : index
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: memref.load
// CHECK: memref.store
// CHECK-NOT: vector
func.func @masked(%m: memref<8xf32>, %o: memref<2x2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 7.0 : f32
  %mask = vector.create_mask %n : vector<2xi1>
  %v = vector.transfer_read %m[%n], %pad, %mask {in_bounds = [true]} : memref<8xf32>, vector<2xf32>
  %b = vector.broadcast %v : vector<2xf32> to vector<2x2xf32>
  %t = vector.transpose %b, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  vector.transfer_write %t, %o[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<2x2xf32>
  return
}

// -----

// CHECK-LABEL: func.func @repeated
// CHECK-COUNT-2: memref.load
// CHECK-NOT: memref.load
func.func @repeated(%m: memref<8xf32>, %o: memref<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(i) -> (0, i)>} : memref<8xf32>, vector<4x2xf32>
  vector.transfer_write %v, %o[%c0, %c0] {in_bounds = [true, true]} : vector<4x2xf32>, memref<4x2xf32>
  return
}

// -----

// A loop carries each element; a read that may lie outside is one under a condition.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32)
// CHECK: arith.cmpi slt
// CHECK: arith.addf
// CHECK: scf.yield %{{.*}}, %{{.*}} : f32, f32
func.func @carried(%m: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %pad = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (vector<2xf32>) {
    %v = vector.transfer_read %m[%i], %pad : memref<?xf32>, vector<2xf32>
    %s = arith.addf %a, %v : vector<2xf32>
    scf.yield %s : vector<2xf32>
  }
  %r = vector.reduction <add>, %sum : vector<2xf32> into f32
  return %r : f32
}

// -----

func.func @unknown(%v: memref<4xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = vector.load %v[%c0] : memref<4xf32>, vector<4xf32>
  // expected-error @+1 {{takes an element whose place is known only when it runs}}
  %r = vector.extract %a[%i] : f32 from vector<4xf32>
  return %r : f32
}

// -----

func.func @argument(%v: vector<4xf32>) -> f32 {
  // expected-error @+1 {{takes a vector from where its elements are not known}}
  %r = vector.reduction <add>, %v : vector<4xf32> into f32
  return %r : f32
}

// -----

func.func @resource(%m: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{has elements that are not written in the module}}
  %v = arith.constant dense_resource<two> : vector<2xf32>
  vector.store %v, %m[%c0] : memref<2xf32>, vector<2xf32>
  return
}

// -----

// A vector of no dimensions is one scalar.
// CHECK-LABEL: func.func @single
// CHECK-NOT: vector
// CHECK: memref.load
// CHECK: memref.store
func.func @single(%m: memref<f32>) {
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[], %pad : memref<f32>, vector<f32>
  %w = arith.addf %v, %v : vector<f32>
  vector.transfer_write %w, %m[] : vector<f32>, memref<f32>
  return
}

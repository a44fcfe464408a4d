// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(fuselage-legalize-kernel-types,canonicalize,cse)' | FileCheck %s

// A sum is rounded to the nearest bf16 number, ties to even, NaN stays NaN; a maximum is one already.
// CHECK-LABEL: gpu.func @bf16
// CHECK-NOT:     bf16
// CHECK:         %[[X:.+]] = arith.bitcast %{{.+}} : i32 to f32
// CHECK:         %[[SUM:.+]] = arith.addf %[[X]], %[[X]] : f32
// CHECK:         arith.addi %{{.+}}, %c32767
// CHECK:         arith.andi %{{.+}}, %c-65536
// CHECK:         %[[NAN:.+]] = arith.cmpf uno, %[[SUM]], %[[SUM]]
// CHECK:         %[[BITS:.+]] = arith.select %[[NAN]], %c2143289344
// CHECK:         %[[ROUNDED:.+]] = arith.bitcast %[[BITS]] : i32 to f32
// CHECK:         %[[MAX:.+]] = arith.maximumf %[[ROUNDED]], %[[X]] : f32
// CHECK-NOT:     arith.select
// CHECK:         gpu.return
gpu.module @k {
  gpu.func @bf16(%a: memref<4xi16>, %out: memref<4xi16>) kernel {
    %i = gpu.thread_id x
    %b = memref.load %a[%i] : memref<4xi16>
    %x = arith.bitcast %b : i16 to bf16
    %y = arith.addf %x, %x : bf16
    %z = arith.maximumf %y, %x : bf16
    %c = arith.bitcast %z : bf16 to i16
    memref.store %c, %out[%i] : memref<4xi16>
    gpu.return
  }
}

// -----

// CHECK-LABEL: gpu.func @i4
// CHECK-DAG:     %[[MASK:.+]] = arith.constant 15 : i8
// CHECK-DAG:     %[[C13:.+]] = arith.constant 13 : i8
// CHECK-DAG:     %[[C4:.+]] = arith.constant 4 : i8
// CHECK:         %[[SUM:.+]] = arith.addi %{{.+}}, %[[C13]] : i8
// CHECK:         %[[LOW:.+]] = arith.andi %[[SUM]], %[[MASK]] : i8
// CHECK:         %[[HIGH:.+]] = arith.shli %[[LOW]], %[[C4]] : i8
// CHECK:         %[[SIGNED:.+]] = arith.shrsi %[[HIGH]], %[[C4]] : i8
// CHECK:         arith.sitofp %[[SIGNED]] : i8 to f32
gpu.module @k {
  gpu.func @i4(%a: memref<4xi8>, %out: memref<4xf32>) kernel {
    %i = gpu.thread_id x
    %b = memref.load %a[%i] : memref<4xi8>
    %x = arith.trunci %b : i8 to i4
    %c = arith.constant -3 : i4
    %y = arith.addi %x, %c : i4
    %f = arith.sitofp %y : i4 to f32
    memref.store %f, %out[%i] : memref<4xf32>
    gpu.return
  }
}

// -----

// A body reads the sign of what its loop carries.
// CHECK-LABEL: gpu.func @loop_carried
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}) -> (i8)
// CHECK:           %[[HIGH:.+]] = arith.shli %[[ACC]], %[[C4:.+]] : i8
// CHECK:           %[[LEFT:.+]] = arith.shrsi %[[HIGH]], %[[C4]] : i8
// CHECK:           %[[MAX:.+]] = arith.maxsi %[[LEFT]], %{{.+}} : i8
// CHECK:           %[[LOW:.+]] = arith.andi %[[MAX]]
// CHECK:           scf.yield %[[LOW]] : i8
gpu.module @k {
  gpu.func @loop_carried(%a: memref<8xi8>, %out: memref<1xi8>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %least = arith.constant -8 : i4
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %least) -> i4 {
      %b = memref.load %a[%i] : memref<8xi8>
      %x = arith.trunci %b : i8 to i4
      %y = arith.maxsi %acc, %x : i4
      scf.yield %y : i4
    }
    %w = arith.extsi %r : i4 to i8
    memref.store %w, %out[%c0] : memref<1xi8>
    gpu.return
  }
}

// -----

// Zeros are counted to the ends of the narrow integer: at most four.
// CHECK-LABEL: gpu.func @zeros
// CHECK-DAG:     %[[C4:.+]] = arith.constant 4 : i8
// CHECK-DAG:     %[[C8:.+]] = arith.constant 8 : i8
// CHECK-DAG:     %[[C16:.+]] = arith.constant 16 : i8
// CHECK:         %[[HIGH:.+]] = arith.shli %[[X:.+]], %[[C4]] : i8
// CHECK:         %[[ABOVE:.+]] = arith.ori %[[HIGH]], %[[C8]] : i8
// CHECK:         math.ctlz %[[ABOVE]] : i8
// CHECK:         %[[BELOW:.+]] = arith.ori %[[X]], %[[C16]] : i8
// CHECK:         math.cttz %[[BELOW]] : i8
gpu.module @k {
  gpu.func @zeros(%a: memref<1xi8>) kernel {
    %c0 = arith.constant 0 : index
    %b = memref.load %a[%c0] : memref<1xi8>
    %x = arith.trunci %b : i8 to i4
    %leading = math.ctlz %x : i4
    %trailing = math.cttz %x : i4
    %sum = arith.addi %leading, %trailing : i4
    %r = arith.extui %sum : i4 to i8
    memref.store %r, %a[%c0] : memref<1xi8>
    gpu.return
  }
}

// -----

// Sums of truth values are exclusive ors; true is less than false where signs are read.
// CHECK-LABEL: gpu.func @booleans
// CHECK-SAME:    (%[[A:.+]]: i1, %[[B:.+]]: i1,
// CHECK:         %[[SUM:.+]] = arith.xori %[[A]], %[[B]]
// CHECK-DAG:     %[[L:.+]] = arith.extsi %[[SUM]] : i1 to i8
// CHECK-DAG:     %[[R:.+]] = arith.extsi %[[B]] : i1 to i8
// CHECK:         arith.cmpi slt, %[[L]], %[[R]] : i8
gpu.module @k {
  gpu.func @booleans(%a: i1, %b: i1, %out: memref<1xi1>) kernel {
    %c0 = arith.constant 0 : index
    %s = arith.addi %a, %b : i1
    %l = arith.cmpi slt, %s, %b : i1
    memref.store %l, %out[%c0] : memref<1xi1>
    gpu.return
  }
}

// Ops of bufferization, memref, scf and vector as LLVM 11 to 21 wrote them are today's ops.
// RUN: fuselage-opt --tolerant %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR --implicit-check-not=error: --implicit-check-not="another version" < %t.err

// A value of a memref's type in place of a tensor's would ruin everything after it.
// ERR: recent-memory.mlir:[[#@LINE+4]]:8: warning: old syntax: 'bufferization.to_tensor' is read as it is written since LLVM 20 (1 op)
// CHECK-LABEL: func.func @tensors
func.func @tensors(%m: memref<8xf32>, %d: memref<8xf32>) {
  // CHECK: bufferization.to_tensor %{{.*}} restrict : memref<8xf32> to tensor<8xf32>
  %t = bufferization.to_tensor %m restrict : memref<8xf32>
  // CHECK: bufferization.to_buffer %{{.*}} : tensor<8xf32> to memref<8xf32>
  %b = bufferization.to_memref %t : memref<8xf32>
  // CHECK: bufferization.materialize_in_destination %{{.*}} in writable %{{.*}} : (tensor<8xf32>, memref<8xf32>) -> ()
  memref.tensor_store %t, %d : memref<8xf32>
  return
}

// CHECK-LABEL: func.func @std_buffers
func @std_buffers(%x: tensor<5xf32>, %o: memref<5xf32>) -> tensor<5xf32> {
  // CHECK: bufferization.to_buffer
  %m = tensor_to_memref %x : memref<5xf32>
  // CHECK: bufferization.to_tensor
  %t = tensor_load %m : memref<5xf32>
  // CHECK: bufferization.materialize_in_destination
  tensor_store %t, %o : memref<5xf32>
  return %t : tensor<5xf32>
}

// CHECK-LABEL: func.func @threads
func.func @threads(%x: tensor<4xf32>, %y: tensor<4xf32>, %c4: index) -> tensor<4xf32> {
  // What the slices went into was a value of outside.
  // CHECK: scf.forall (%{{.*}}) in (%{{.*}}) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<4xf32>)
  %0 = scf.foreach_thread (%i) in (%c4) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    // CHECK: scf.forall.in_parallel
    scf.foreach_thread.perform_concurrently {
      // CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]]
      tensor.parallel_insert_slice %s into %y[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @parallel
func.func @parallel(%m: memref<4xf32>, %f: f32, %c0: index, %c1: index, %c4: index) -> (f32, f32) {
  // CHECK: scf.parallel
  %r:2 = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%f, %f) -> (f32, f32) {
    %x = memref.load %m[%i] : memref<4xf32>
    // CHECK: scf.reduce(%{{.*}}, %{{.*}} : f32, f32) {
    scf.reduce(%x) : f32 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
    scf.reduce(%x) : f32 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.mulf %a, %b : f32
      scf.reduce.return %s : f32
    }
    scf.yield
  }
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %f, %m[%i] : memref<4xf32>
    scf.yield
  }
  return %r#0, %r#1 : f32, f32
}

// CHECK-LABEL: func.func @vectors
func.func @vectors(%v: vector<4x8xf32>, %i: index, %f: f32) -> f32 {
  // CHECK: vector.extract %{{.*}}[0] : vector<8xf32> from vector<4x8xf32>
  %0 = vector.extract %v[0] : vector<4x8xf32>
  // CHECK: vector.extract %{{.*}}[%{{.*}}] : f32 from vector<8xf32>
  %1 = vector.extractelement %0[%i : index] : vector<8xf32>
  // CHECK: vector.insert %{{.*}}, %{{.*}}[%{{.*}}] : f32 into vector<8xf32>
  %2 = vector.insertelement %f, %0[%i : index] : vector<8xf32>
  // CHECK: vector.broadcast %{{.*}} : f32 to vector<4xf32>
  %3 = vector.splat %f : vector<4xf32>
  // CHECK: vector.reduction <maximumf>
  %4 = vector.reduction "maxf", %2 : vector<8xf32> into f32
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
  // CHECK: vector.multi_reduction <add>, %{{.*}}, %[[ZERO]] [1]
  %5 = vector.multi_reduction #vector.kind<add>, %v [1] : vector<4x8xf32> to vector<4xf32>
  return %4 : f32
}

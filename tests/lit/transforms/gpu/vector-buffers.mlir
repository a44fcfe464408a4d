// RUN: fuselage-opt %s --fuselage-vector-buffers | FileCheck %s

// A buffer that is only moved in aligned fours becomes one of vectors; one with other accesses is moved element by element.
// CHECK-LABEL: gpu.func @kernel
// CHECK-SAME: (%[[A:.+]]: memref<4xvector<4xf32>>, %[[B:.+]]: memref<16xf32>, %[[C:.+]]: memref<4xvector<4xf32>>)
// CHECK: memref.load %[[A]][%{{.+}}] : memref<4xvector<4xf32>>
// CHECK-COUNT-4: memref.load %[[B]]
// CHECK: memref.load %[[B]]
// CHECK: memref.store %{{.+}}, %[[C]][%{{.+}}] : memref<4xvector<4xf32>>
// CHECK: gpu.launch_func @kernels::@kernel {{.*}} args(%{{.+}} : memref<4xvector<4xf32>>, %{{.+}} : memref<16xf32>, %{{.+}} : memref<4xvector<4xf32>>)
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %four = arith.constant 4 : index
      %at = arith.muli %i, %four : index
      %x = vector.load %a[%at] : memref<16xf32>, vector<4xf32>
      %y = vector.load %b[%at] : memref<16xf32>, vector<4xf32>
      %z = memref.load %b[%i] : memref<16xf32>
      %w = vector.broadcast %z : f32 to vector<4xf32>
      %s = arith.addf %x, %y : vector<4xf32>
      %t = arith.addf %s, %w : vector<4xf32>
      vector.store %t, %c[%at] : memref<16xf32>, vector<4xf32>
      gpu.return
    }
  }
  func.func @f(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<16xf32>) {
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%four, %one, %one) args(%a : memref<16xf32>, %b : memref<16xf32>, %c : memref<16xf32>)
    return
  }
}

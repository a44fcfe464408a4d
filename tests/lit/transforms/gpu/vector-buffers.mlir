// RUN: fuselage-opt %s --split-input-file --fuselage-vector-buffers | FileCheck %s

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

// -----

// Narrow elements lie in words: as many of them are one element of the buffer as each access moves, at most four. One that also
// moves single elements stays as it is.
// CHECK-LABEL: gpu.func @narrow
// CHECK-SAME: (%[[A:.+]]: memref<4xvector<4xi32>>, %[[B:.+]]: memref<8xvector<2xi32>>, %[[C:.+]]: memref<8xi32>, %[[D:.+]]: memref<32xf16>)
// CHECK: %[[FOUR:.+]] = memref.load %[[A]]
// CHECK: %[[WORD:.+]] = vector.extract %[[FOUR]][0] : i32 from vector<4xi32>
// CHECK: %[[ONE:.+]] = vector.from_elements %[[WORD]] : vector<1xi32>
// CHECK: vector.bitcast %[[ONE]] : vector<1xi32> to vector<2xf16>
// CHECK-COUNT-2: memref.load %[[B]]
// CHECK: memref.load %[[C]]
// CHECK: vector.bitcast %{{.+}} : vector<1xi32> to vector<4xi8>
// CHECK-COUNT-4: memref.store %{{.+}}, %[[D]]
// CHECK: vector.bitcast %{{.+}} : vector<2xf16> to vector<1xi32>
// CHECK-COUNT-2: memref.store %{{.+}}, %[[B]][%{{.+}}] : memref<8xvector<2xi32>>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @narrow(%a: memref<32xf16>, %b: memref<32xf16>, %c: memref<32xi8>, %d: memref<32xf16>) kernel {
      %i = gpu.thread_id x
      %four = arith.constant 4 : index
      %eight = arith.constant 8 : index
      %fours = arith.muli %i, %four : index
      %eights = arith.muli %i, %eight : index
      %x = vector.load %a[%eights] : memref<32xf16>, vector<8xf16>
      %y = vector.load %b[%eights] : memref<32xf16>, vector<8xf16>
      %y4 = vector.load %b[%fours] : memref<32xf16>, vector<4xf16>
      %z = vector.load %c[%fours] : memref<32xi8>, vector<4xi8>
      vector.store %y4, %d[%fours] : memref<32xf16>, vector<4xf16>
      %one = memref.load %d[%i] : memref<32xf16>
      %s = arith.addf %x, %y : vector<8xf16>
      vector.store %s, %b[%eights] : memref<32xf16>, vector<8xf16>
      gpu.return
    }
  }
}

// -----

// A cooperative matrix reads whatever the buffer consists of, and rows lie so many of that apart.
// CHECK-LABEL: gpu.func @matrix
// CHECK-SAME: (%[[A:.+]]: memref<64xvector<4xi32>>)
// CHECK: gpu.subgroup_mma_load_matrix %[[A]][%{{.+}}] {leadDimension = 4 : index} : memref<64xvector<4xi32>> -> !gpu.mma_matrix<16x16xf16, "AOp">
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @matrix(%a: memref<512xf16>) kernel {
      %i = gpu.thread_id x
      %eight = arith.constant 8 : index
      %eights = arith.muli %i, %eight : index
      %x = vector.load %a[%eights] : memref<512xf16>, vector<8xf16>
      vector.store %x, %a[%eights] : memref<512xf16>, vector<8xf16>
      %m = gpu.subgroup_mma_load_matrix %a[%eights] {leadDimension = 32 : index} : memref<512xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
      gpu.return
    }
  }
}

// -----

// Buffers of a workgroup are no parameters of the kernel.
// CHECK-LABEL: gpu.func @shares
// CHECK-SAME: (%{{.+}}: memref<4xvector<4xf32>>) workgroup(%{{.+}} : memref<64xf32, #gpu.address_space<workgroup>>) kernel
// CHECK: gpu.launch_func @kernels::@shares {{.*}} args(%{{.+}} : memref<4xvector<4xf32>>)
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @shares(%a: memref<16xf32>) workgroup(%buffer: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      %four = arith.constant 4 : index
      %at = arith.muli %i, %four : index
      %x = vector.load %a[%at] : memref<16xf32>, vector<4xf32>
      %y = memref.load %buffer[%i] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %y, %buffer[%at] : memref<64xf32, #gpu.address_space<workgroup>>
      vector.store %x, %a[%at] : memref<16xf32>, vector<4xf32>
      gpu.return
    }
  }
  func.func @f(%a: memref<16xf32>) {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@shares blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%a : memref<16xf32>)
    return
  }
}

// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(fuselage-flatten-kernel-buffers{index-bitwidth=32},canonicalize,cse)' | FileCheck %s

// A load through a view takes the view's offset along; bf16 is its bits in memory, workgroup
// memory as well; the scalar is a buffer of one element, of 64 bits for an index, whose low half is read.
// CHECK-LABEL: gpu.func @views
// CHECK-SAME:    (%[[A:.+]]: memref<32xi16>, %[[N:.+]]: memref<2xi32>, %[[OUT:.+]]: memref<8xi16>) kernel
// CHECK-DAG:     %[[C16:.+]] = arith.constant 16 : index
// CHECK-DAG:     %[[C8:.+]] = arith.constant 8 : index
// CHECK-DAG:     %[[SCALAR:.+]] = memref.load %[[N]]
// CHECK-DAG:     %[[POSITION:.+]] = arith.index_cast %[[SCALAR]] : i32 to index
// CHECK:         %[[AT:.+]] = arith.addi %[[POSITION]], %[[C16]]
// CHECK:         %[[BITS:.+]] = memref.load %[[A]][%[[AT]]] : memref<32xi16>
// CHECK:         %[[W:.+]] = memref.alloc() : memref<16xi16, 3>
// CHECK:         %[[IN_W:.+]] = arith.addi %[[POSITION]], %[[C8]]
// CHECK:         memref.store %[[BITS]], %[[W]][%[[IN_W]]]
// CHECK-LABEL: func.func @launch
// CHECK:         builtin.unrealized_conversion_cast %{{.+}} : memref<4x8xbf16> to memref<32xi16>
// CHECK:         gpu.launch_func @k::@views
// CHECK-SAME:      memref<32xi16>, %{{.+}} : memref<2xi32>, %{{.+}} : memref<8xi16>
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @views(%a: memref<4x8xbf16>, %n: index, %out: memref<8xbf16>) kernel {
      %c1 = arith.constant 1 : index
      %rows = memref.subview %a[%c1, 0] [2, 8] [1, 1] : memref<4x8xbf16> to memref<2x8xbf16, strided<[8, 1], offset: ?>>
      %x = memref.load %rows[%c1, %n] : memref<2x8xbf16, strided<[8, 1], offset: ?>>
      %w = memref.alloc() : memref<2x8xbf16, #gpu.address_space<workgroup>>
      memref.store %x, %w[%c1, %n] : memref<2x8xbf16, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = memref.load %w[%c1, %c1] : memref<2x8xbf16, #gpu.address_space<workgroup>>
      memref.store %y, %out[%n] : memref<8xbf16>
      gpu.return
    }
  }
  func.func @launch(%a: memref<4x8xbf16>, %n: index, %out: memref<8xbf16>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@views blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x8xbf16>, %n : index, %out : memref<8xbf16>)
    return
  }
}

// -----

// Four bits share a word with those of other threads: they are cleared and set atomically.
// CHECK-LABEL: gpu.func @shared_words
// CHECK-SAME:    (%[[N:.+]]: memref<1xi8>, %[[OUT:.+]]: memref<4xi32>) kernel
// CHECK:         %[[FOUR:.+]] = arith.trunci %{{.+}} : i8 to i4
// CHECK:         %[[MASK:.+]] = arith.shli %{{.+}}, %[[BY:.+]] : i32
// CHECK:         %[[KEEP:.+]] = arith.xori %[[MASK]]
// CHECK:         memref.atomic_rmw andi %[[KEEP]], %[[OUT]]
// CHECK:         %[[WIDE:.+]] = arith.extui %[[FOUR]] : i4 to i32
// CHECK:         %[[PLACED:.+]] = arith.shli %[[WIDE]], %[[BY]] : i32
// CHECK:         memref.atomic_rmw ori %[[PLACED]], %[[OUT]]
gpu.module @k {
  gpu.func @shared_words(%n: i4, %out: memref<4x8xi4>) kernel {
    %c1 = arith.constant 1 : index
    %i = gpu.thread_id x
    memref.store %n, %out[%c1, %i] : memref<4x8xi4>
    gpu.return
  }
}

// -----

// Booleans take a byte, indices 64 bits. Nine elements of four bits take five
// bytes.
// CHECK-LABEL: gpu.func @forms
// CHECK-SAME:    (%[[FLAGS:.+]]: memref<8xi8>, %[[AT:.+]]: memref<16xi32>, %[[NIBBLES:.+]]: memref<5xi8>, %{{.+}}: memref<1xf32>) kernel
// CHECK:         %[[FLAG:.+]] = memref.load %[[FLAGS]]
// CHECK:         arith.cmpi ne, %[[FLAG]]
// CHECK:         %[[INDEX:.+]] = memref.load %[[AT]]
// CHECK:         arith.index_cast %[[INDEX]] : i32 to index
// CHECK:         %[[BYTE:.+]] = memref.load %[[NIBBLES]]
// CHECK:         %[[SHIFTED:.+]] = arith.shrui %[[BYTE]]
// CHECK:         arith.trunci %[[SHIFTED]] : i8 to i4
gpu.module @k {
  gpu.func @forms(%flags: memref<8xi1>, %at: memref<8xindex>, %nibbles: memref<3x3xi4>, %out: memref<f32>) kernel {
    %i = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    %flag = memref.load %flags[%i] : memref<8xi1>
    %j = memref.load %at[%i] : memref<8xindex>
    %nibble = memref.load %nibbles[%i, %j] : memref<3x3xi4>
    %f = arith.sitofp %nibble : i4 to f32
    %r = arith.select %flag, %f, %zero : f32
    memref.store %r, %out[] : memref<f32>
    gpu.return
  }
}

// -----

// What a kernel written by hand shares among its threads is an allocation, as in those that are generated.
// CHECK-LABEL: gpu.func @shares
// CHECK-SAME:    (%[[A:.+]]: memref<16xf32>) kernel
// CHECK:         %[[SHARED:.+]] = memref.alloc() : memref<16xf32, 3>
// CHECK:         memref.store %{{.+}}, %[[SHARED]][%{{.+}}]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @shares(%a: memref<16xf32>) workgroup(%buffer: memref<4x4xf32, #gpu.address_space<workgroup>>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<16xf32>
      memref.store %x, %buffer[%i, %i] : memref<4x4xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %y = memref.load %buffer[%i, %i] : memref<4x4xf32, #gpu.address_space<workgroup>>
      memref.store %y, %a[%i] : memref<16xf32>
      gpu.return
    }
  }
}

// RUN: fuselage-opt %s --fuselage-bound-registers | FileCheck %s
// RUN: fuselage-opt %s --fuselage-bound-registers=registers-per-thread=64 | FileCheck %s --check-prefix=LESS
// RUN: fuselage-opt %s --fuselage-set-device='name=#fuselage.device<unit_workgroup_bytes=100000>' --fuselage-bound-registers | FileCheck %s --check-prefix=MEMORY
// RUN: fuselage-opt %s --fuselage-set-device='name=#fuselage.device<chip=sm_100>' --fuselage-bound-registers | FileCheck %s --check-prefix=SCALARS
// RUN: fuselage-opt %s --fuselage-bound-registers | FileCheck %s --check-prefix=ANY --implicit-check-not=noimplicitfloat
// RUN: not fuselage-opt %s --fuselage-bound-registers=registers-per-thread=0 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: registers-per-thread is 0; give a number of registers, at least 1

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // CHECK: gpu.func @two() kernel
    // CHECK-SAME: nvvm.minctasm = 2 : i32
    // LESS: gpu.func @two() kernel
    // LESS-SAME: nvvm.minctasm = 4 : i32
    gpu.func @two() kernel attributes {known_block_size = array<i32: 64, 4, 1>} {
      gpu.return
    }
    // One that is larger than its share of registers still runs.
    // CHECK: gpu.func @one() kernel
    // CHECK-SAME: nvvm.minctasm = 1 : i32
    gpu.func @one() kernel attributes {known_block_size = array<i32: 1024, 1, 1>} {
      gpu.return
    }
    // CHECK: gpu.func @said() kernel
    // CHECK-SAME: nvvm.minctasm = 7 : i32
    gpu.func @said() kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.minctasm = 7 : i32} {
      gpu.return
    }
    // CHECK: gpu.func @unknown() kernel {
    gpu.func @unknown() kernel {
      gpu.return
    }
  }
}

// -----

// Three times this memory fits a multiprocessor that has 100,000 bytes, registers would do for four.
// CHECK-LABEL: gpu.module @memory
// MEMORY-LABEL: gpu.module @memory
gpu.module @memory {
  // CHECK: gpu.func @tiles
  // CHECK-SAME: nvvm.minctasm = 4 : i32
  // MEMORY: gpu.func @tiles
  // MEMORY-SAME: nvvm.minctasm = 3 : i32
  gpu.func @tiles() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %tile = memref.alloc() : memref<7500xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// 64 registers of results, and the loop computes what it puts into workgroup memory: three workgroups of 128 threads with 160
// registers and more, where copies would leave four.
// CHECK-LABEL: gpu.module @beside
gpu.module @beside {
  // LLVM joins nothing beside so many results in vectors, if it is told.
  // SCALARS: gpu.func @computes
  // SCALARS-SAME: passthrough = ["noimplicitfloat"]
  // ANY: gpu.func @computes
  // CHECK: gpu.func @computes
  // CHECK-SAME: nvvm.minctasm = 3
  gpu.func @computes(%in: memref<4096xf32>, %tile: memref<128xf32, 3>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %sums = scf.for %i = %c0 to %c32 step %c1 iter_args(%s = %zero) -> (vector<64xf32>) {
      %v = memref.load %in[%i] : memref<4096xf32>
      %w = math.exp %v : f32
      memref.store %w, %tile[%i] : memref<128xf32, 3>
      scf.yield %s : vector<64xf32>
    }
    vector.store %sums, %out[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }
  // CHECK: gpu.func @reads
  // CHECK-SAME: nvvm.minctasm = 4
  gpu.func @reads(%tile: memref<128xf32, 3>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %sums = scf.for %i = %c0 to %c32 step %c1 iter_args(%s = %zero) -> (vector<64xf32>) {
      %v = memref.load %tile[%i] : memref<128xf32, 3>
      %w = vector.broadcast %v : f32 to vector<64xf32>
      %t = arith.addf %s, %w : vector<64xf32>
      scf.yield %t : vector<64xf32>
    }
    vector.store %sums, %out[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }
}

// -----

// Pairs that the kernel reads LLVM may take apart, and has to put together again.
// SCALARS-LABEL: gpu.module @pairs
gpu.module @pairs {
  // SCALARS: gpu.func @joins
  // SCALARS-NOT: passthrough
  // SCALARS: scf.for
  gpu.func @joins(%in: memref<4096xf32>, %out: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %sums = scf.for %i = %c0 to %c32 step %c1 iter_args(%s = %zero) -> (vector<64xf32>) {
      scf.yield %s : vector<64xf32>
    }
    %pair = vector.load %in[%c0] : memref<4096xf32>, vector<2xf32>
    vector.store %pair, %out[%c0] : memref<64xf32>, vector<2xf32>
    vector.store %sums, %out[%c0] : memref<64xf32>, vector<64xf32>
    gpu.return
  }
}

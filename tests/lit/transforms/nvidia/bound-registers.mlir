// RUN: fuselage-opt %s --fuselage-bound-registers | FileCheck %s
// RUN: fuselage-opt %s --fuselage-bound-registers=registers-per-thread=64 | FileCheck %s --check-prefix=LESS
// RUN: not fuselage-opt %s --fuselage-bound-registers=registers-per-thread=0 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: registers-per-thread and registers-per-unit have to be at least 1

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

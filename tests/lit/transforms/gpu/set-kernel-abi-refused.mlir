// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fuselage-set-kernel-abi)' -o /dev/null

gpu.module @k {
  // expected-error @below {{has no known workgroup size; launch it with constant sizes}}
  gpu.func @no_size(%a: memref<8xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @k {
  // expected-error @below {{has parameters that are no buffers; run fuselage-flatten-kernel-buffers first}}
  gpu.func @scalar(%a: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    gpu.return
  }
}

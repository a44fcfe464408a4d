// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fuselage-flatten-kernel-buffers)' -o /dev/null
// RUN: not fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(fuselage-flatten-kernel-buffers{index-bitwidth=16})' -o /dev/null 2>&1 | FileCheck %s

// CHECK: index-bitwidth is 16; use 32 or 64

// RUN: not fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(fuselage-flatten-kernel-buffers{index-bitwidth=32})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: has a buffer of type 'memref<65536x65536xi8>': more than 2^31 elements, which 32-bit indices do not reach
gpu.module @k {
  gpu.func @large(%a: memref<65536x65536xi8>) kernel {
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @allocates() kernel {
    %i = gpu.thread_id x
    %x = arith.constant 0.0 : f32
    // expected-error @below {{would call the device's allocator; a kernel can only use workgroup memory and buffers that the caller passes}}
    %w = memref.alloc() : memref<8xf32>
    memref.store %x, %w[%i] : memref<8xf32>
    gpu.return
  }
}

// -----

gpu.module @k {
  // expected-error @below {{has a parameter of type 'memref<?xf32>'; only static shapes in row-major order can be passed}}
  gpu.func @dynamic(%a: memref<?xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @k {
  // expected-error @below {{has a parameter of type 'memref<4xcomplex<f32>>', which has no form in device memory}}
  gpu.func @complex(%a: memref<4xcomplex<f32>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @whole_buffer(%a: memref<4xf32>, %b: memref<4xf32>) kernel {
    // expected-error @below {{cannot run in a kernel: it works on a whole buffer}}
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @chosen(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) kernel {
    %i = gpu.thread_id x
    %m = arith.select %c, %a, %b : memref<4xf32>
    // expected-error @below {{uses a buffer of type 'memref<4xf32>' whose place in memory is not known when the kernel is compiled}}
    %x = memref.load %m[%i] : memref<4xf32>
    memref.store %x, %a[%i] : memref<4xf32>
    gpu.return
  }
}

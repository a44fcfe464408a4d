// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=spirv})' -o /dev/null
// RUN: not fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=nvvm})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NVVM
// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=nvvm libdevice=true})' | FileCheck %s --check-prefix=LIBDEVICE

// NVVM: 'math.exp' op takes f64 numbers, and PTX has the function in CUDA's libdevice only: set CUDA_HOME to a toolkit that holds nvvm/libdevice
// LIBDEVICE: math.exp %{{.+}} : f64
// LIBDEVICE: math.powf %{{.+}} : f64
gpu.module @k {
  gpu.func @exponential(%x: f64, %out: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{takes f64 numbers, and Vulkan has the function for 32 bits only}}
    %y = math.exp %x : f64
    memref.store %y, %out[%c0] : memref<1xf64>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @power(%x: f64, %out: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{'math.powf' op takes f64 numbers}}
    %y = math.powf %x, %x : f64
    memref.store %y, %out[%c0] : memref<1xf64>
    gpu.return
  }
}

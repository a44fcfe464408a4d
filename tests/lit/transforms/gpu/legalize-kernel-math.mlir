// RUN: fuselage-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=spirv})' | FileCheck %s --check-prefixes=BOTH,SPIRV
// RUN: fuselage-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=nvvm})' | FileCheck %s --check-prefixes=BOTH,NVVM
// RUN: not fuselage-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=metal})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// RUN: fuselage-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=nvvm libdevice=true})' | FileCheck %s --check-prefix=LIBDEVICE

// UNKNOWN: unknown target 'metal'; use spirv or nvvm

// What the library has stays as it is.
// LIBDEVICE-LABEL: gpu.func @single
// LIBDEVICE:         math.erf
// LIBDEVICE:         math.exp
// LIBDEVICE:         math.sqrt
// LIBDEVICE-LABEL: gpu.func @power
// LIBDEVICE:         math.powf
// Upstream's expansion of an integer power makes -inf of 0 to a negative one.
// LIBDEVICE-LABEL: gpu.func @integer_power
// LIBDEVICE:         arith.mulf
// LIBDEVICE-NOT:     arith.select
// LIBDEVICE:         arith.divf %{{.+}}, %{{.+}} : f32

// Neither target knows erf, and neither knows exp to its last digits; both have square roots.
// BOTH-LABEL: gpu.func @single
// BOTH-NOT:     math.erf
// BOTH-NOT:     math.exp
// SPIRV:        math.sqrt
// NVVM:         llvm.call_intrinsic "llvm.sqrt"
// SPIRV:        arith.addf %{{.+}}, %{{.+}} : f32
// NVVM:         arith.addf %{{.+}}, %{{.+}} fastmath<contract> : f32
// BOTH:         gpu.return

// f16 goes through f32; f64 does not, and has the basic functions everywhere.
// BOTH-LABEL: gpu.func @other_widths
// BOTH:         arith.extf %{{.+}} : f16 to f32
// BOTH-NOT:     math.tanh
// BOTH:         arith.truncf %{{.+}} : f32 to f16
// SPIRV:        math.sqrt %{{.+}} : f64
// NVVM:         llvm.call_intrinsic "llvm.sqrt"(%{{.+}}) : (f64) -> f64
// BOTH-NOT:     f64 to f32

// A Vulkan driver may round f64 otherwise.
// BOTH-LABEL: gpu.func @half_to_even
// SPIRV:        math.roundeven %{{.+}} : f32
// SPIRV-NOT:    math.roundeven
// SPIRV:        math.floor %{{.+}} : f64
// SPIRV-NOT:    math.roundeven
// NVVM:         llvm.call_intrinsic "llvm.roundeven"(%{{.+}}) : (f64) -> f64
// BOTH:         gpu.return

// No function of the power is left; its cases are chosen from.
// BOTH-LABEL: gpu.func @power
// BOTH-NOT:     math.powf
// BOTH-COUNT-3: arith.select
// BOTH:         gpu.return

// BOTH-LABEL: gpu.func @bits
// BOTH-NOT:     math.
// BOTH:         gpu.return
gpu.module @k {
  gpu.func @single(%x: f32, %out: memref<3xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %erf = math.erf %x : f32
    memref.store %erf, %out[%c0] : memref<3xf32>
    %exp = math.exp %x : f32
    memref.store %exp, %out[%c1] : memref<3xf32>
    %sqrt = math.sqrt %x : f32
    %sum = arith.addf %sqrt, %x : f32
    memref.store %sum, %out[%c2] : memref<3xf32>
    gpu.return
  }
  gpu.func @other_widths(%h: f16, %d: f64, %halves: memref<1xf16>, %doubles: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    %t = math.tanh %h : f16
    memref.store %t, %halves[%c0] : memref<1xf16>
    %s = math.sqrt %d : f64
    memref.store %s, %doubles[%c0] : memref<1xf64>
    gpu.return
  }
  gpu.func @half_to_even(%x: f32, %d: f64, %singles: memref<1xf32>, %doubles: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    %r = math.roundeven %x : f32
    memref.store %r, %singles[%c0] : memref<1xf32>
    %s = math.roundeven %d : f64
    memref.store %s, %doubles[%c0] : memref<1xf64>
    gpu.return
  }
  gpu.func @power(%x: f32, %y: f32, %out: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %p = math.powf %x, %y : f32
    memref.store %p, %out[%c0] : memref<1xf32>
    gpu.return
  }
  gpu.func @integer_power(%x: f32, %out: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %n = arith.constant -3 : i32
    %p = math.fpowi %x, %n : f32, i32
    memref.store %p, %out[%c0] : memref<1xf32>
    gpu.return
  }
  gpu.func @bits(%i: i32, %out: memref<3xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %ones = math.ctpop %i : i32
    memref.store %ones, %out[%c0] : memref<3xi32>
    %leading = math.ctlz %i : i32
    memref.store %leading, %out[%c1] : memref<3xi32>
    %trailing = math.cttz %i : i32
    memref.store %trailing, %out[%c2] : memref<3xi32>
    gpu.return
  }
}

// Code of the host stays as it is.
// BOTH-LABEL: func.func @host
// BOTH:         math.erf
func.func @host(%x: f32) -> f32 {
  %e = math.erf %x : f32
  return %e : f32
}

// An op that no dialect defines is left for the conversions that follow to refuse.
// BOTH-LABEL: gpu.func @unknown
// BOTH:         "foo.bar"
gpu.module @foreign {
  gpu.func @unknown(%x: f32) kernel {
    %y = "foo.bar"(%x) : (f32) -> f32
    gpu.return
  }
}

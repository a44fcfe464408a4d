// RUN: fuselage-opt %s --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=spirv})' | FileCheck %s --check-prefixes=BOTH,SPIRV
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=nvvm})' | FileCheck %s --check-prefixes=BOTH,NVVM
// RUN: not fuselage-opt %s --pass-pipeline='builtin.module(fuselage-legalize-kernel-math{target=metal})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: unknown target 'metal'; use spirv or nvvm

// Neither target knows erf; GLSL knows exp, PTX does not; both have square roots.
// BOTH-LABEL: gpu.func @single
// BOTH-NOT:     math.erf
// NVVM-NOT:     math.exp
// SPIRV:        math.exp
// BOTH:         math.sqrt
// SPIRV:        arith.addf %{{.+}}, %{{.+}} : f32
// NVVM:         arith.addf %{{.+}}, %{{.+}} fastmath<contract> : f32
// BOTH:         gpu.return

// f16 and f64 go through f32, except for what f64 has everywhere.
// BOTH-LABEL: gpu.func @other_widths
// BOTH:         arith.extf %{{.+}} : f16 to f32
// SPIRV:        math.tanh %{{.+}} : f32
// NVVM-NOT:     math.tanh
// BOTH:         arith.truncf %{{.+}} : f32 to f16
// BOTH:         %[[ROOT:.+]] = math.sqrt %{{.+}} : f64
// BOTH:         arith.truncf %[[ROOT]] : f64 to f32
// BOTH:         arith.extf %{{.+}} : f32 to f64

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
    %e = math.exp %s : f64
    memref.store %e, %doubles[%c0] : memref<1xf64>
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

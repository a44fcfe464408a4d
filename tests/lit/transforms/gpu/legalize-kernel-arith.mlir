// RUN: fuselage-opt %s --pass-pipeline='builtin.module(fuselage-legalize-kernel-arith{target=spirv})' | FileCheck %s --check-prefixes=BOTH,SPIRV
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(fuselage-legalize-kernel-arith{target=nvvm})' | FileCheck %s --check-prefixes=BOTH,NVVM
// RUN: not fuselage-opt %s --pass-pipeline='builtin.module(fuselage-legalize-kernel-arith{target=metal})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: unknown target 'metal'; use spirv or nvvm

// BOTH-LABEL: gpu.func @integers
// NVVM:         arith.remsi
// SPIRV:        %[[Q:.+]] = arith.divsi %[[X:.+]], %[[Y:.+]] : i32
// SPIRV:        %[[P:.+]] = arith.muli %[[Q]], %[[Y]] : i32
// SPIRV:        arith.subi %[[X]], %[[P]] : i32

// The remainder is that of the digits, eight bits of the exponent at a time.
// BOTH-LABEL: gpu.func @reals
// BOTH-NOT:     arith.remf
// BOTH:         scf.for {{.*}} iter_args(%[[R:.+]] = %{{.+}}) -> (i32)
// BOTH:           %[[S:.+]] = arith.shli %[[R]], %c8_i32{{.*}} : i32
// BOTH:           arith.remui %[[S]], %{{.+}} : i32
// BOTH:         gpu.return
gpu.module @k {
  gpu.func @integers(%x: i32, %y: i32, %out: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %r = arith.remsi %x, %y : i32
    memref.store %r, %out[%c0] : memref<1xi32>
    gpu.return
  }
  gpu.func @reals(%x: f32, %y: f32, %out: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %r = arith.remf %x, %y : f32
    memref.store %r, %out[%c0] : memref<1xf32>
    gpu.return
  }
}

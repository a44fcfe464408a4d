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

// BOTH-LABEL: gpu.func @quotient
// NVVM:         arith.divf %{{.+}}, %{{.+}} : f16
// SPIRV-DAG:    %[[X:.+]] = arith.extf %{{.+}} : f16 to f32
// SPIRV-DAG:    %[[Y:.+]] = arith.extf %{{.+}} : f16 to f32
// SPIRV:        %[[Q:.+]] = arith.divf %[[X]], %[[Y]] : f32
// SPIRV:        arith.truncf %[[Q]] : f32 to f16

// BOTH-LABEL: gpu.func @choice
// NVVM:         arith.select %{{.+}}, %{{.+}}, %{{.+}} : vector<4xf32>
// SPIRV:        %[[EACH:.+]] = vector.broadcast %{{.+}} : i1 to vector<4xi1>
// SPIRV:        arith.select %[[EACH]], %{{.+}}, %{{.+}} : vector<4xi1>, vector<4xf32>
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
  gpu.func @quotient(%x: f16, %y: f16, %out: memref<1xf16>) kernel {
    %c0 = arith.constant 0 : index
    %q = arith.divf %x, %y : f16
    memref.store %q, %out[%c0] : memref<1xf16>
    gpu.return
  }
  gpu.func @choice(%condition: i1, %buffer: memref<8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %a = vector.load %buffer[%c0] : memref<8xf32>, vector<4xf32>
    %b = vector.load %buffer[%c4] : memref<8xf32>, vector<4xf32>
    %c = arith.select %condition, %a, %b : vector<4xf32>
    vector.store %c, %buffer[%c0] : memref<8xf32>, vector<4xf32>
    gpu.return
  }
}

// A pipeline names its device once; passes read it from the module.
// RUN: fuselage-opt %s --fuselage-set-device=name=h100 | FileCheck %s --check-prefix=H100
// RUN: fuselage-opt %s --fuselage-set-device="name=h100 tf32=true" | FileCheck %s --check-prefix=TF32
// RUN: fuselage-opt %s --fuselage-set-device=name=%S/../../../resources/devices/rdna3.json | FileCheck %s --check-prefix=RDNA
// RUN: fuselage-opt %s --fuselage-set-device=name=ptx | FileCheck %s --check-prefix=PTX
// RUN: fuselage-opt %s '--fuselage-set-device=name=#fuselage.device<max_threads=64>' | FileCheck %s --check-prefix=ITSELF
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(fuselage-set-device{name=h100},fuselage-set-device{name=lavapipe},func.func(fuselage-tile-to-workgroups))' | FileCheck %s --check-prefix=LAVAPIPE
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(fuselage-set-device{name=h100},func.func(fuselage-tile-to-workgroups),fuselage-drop-device)' | FileCheck %s --check-prefix=DROPPED
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-to-workgroups))' | FileCheck %s --check-prefix=ANY
// RUN: not fuselage-opt %s --fuselage-set-device=name=h1000 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fuselage-opt %s --fuselage-set-device 2>&1 | FileCheck %s --check-prefix=NAMELESS
// RUN: not fuselage-opt %s '--fuselage-set-device=name=#fuselage.device<max_threads=8>' 2>&1 | FileCheck %s --check-prefix=WRONG

// tf32 has fewer digits: only where that is asked for.
// H100: fuselage.device = #fuselage.device<name = "NVIDIA H100 80GB SXM5", kind = discrete, language = ptx, chip = sm_90,
// H100-SAME: compute_units = 132, matrix_shapes = ["m16n8k16 f16", "m16n8k16 bf16", "m16n8k32 s8"]
// TF32: matrix_shapes = ["m16n8k16 f16", "m16n8k16 bf16", "m16n8k8 tf32", "m16n8k32 s8"]
// Of the cooperative matrices, those that kernels are made with.
// RDNA: matrix_shapes = ["m16n16k16 f16"]
// PTX: #fuselage.device<language = ptx, chip = sm_80, matrix_shapes = ["m16n8k16 f16", "m16n8k16 bf16", "m16n8k32 s8"]>
// ITSELF: #fuselage.device<max_threads = 64>

// The last one counts, for tiles as well.
// LAVAPIPE: fuselage.device = #fuselage.device<name = "Mesa lavapipe
// LAVAPIPE: linalg.matmul {fuselage.tiling = {workgroup = array<i64: 16, 32, 0>}}
// DROPPED-NOT: fuselage.device
// DROPPED: linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 16>, workgroup = array<i64: 128, 64, 0>}}
// ANY-NOT: fuselage.device
// ANY: linalg.matmul {fuselage.tiling = {reduction = array<i64: 0, 0, 32>, workgroup = array<i64: 32, 64, 0>}}

// UNKNOWN: error: {{.*}}h1000
// NAMELESS: error: fuselage-set-device has no name: give a known device, a device file, spirv or ptx
// WRONG: error: the value of 'max_threads' must be from one subgroup to 4096
func.func @product(%a: tensor<1024x512xf32>, %b: tensor<512x1024xf32>) -> tensor<1024x1024xf32> attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1024x512xf32>, tensor<512x1024xf32>) outs(%f : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

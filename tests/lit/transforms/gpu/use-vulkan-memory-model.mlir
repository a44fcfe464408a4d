// RUN: fuselage-opt %s --split-input-file --pass-pipeline='builtin.module(spirv.module(fuselage-use-vulkan-memory-model))' | FileCheck %s

// CHECK: spirv.module Logical Vulkan requires #spirv.vce<v1.6, [Shader, CooperativeMatrixKHR, VulkanMemoryModel, GroupNonUniform], [SPV_KHR_cooperative_matrix, SPV_KHR_vulkan_memory_model]>
// CHECK: spirv.Load "StorageBuffer" %{{.+}} ["NonPrivatePointer"] : f32
// CHECK: spirv.Store "StorageBuffer" %{{.+}}, %{{.+}} ["NonPrivatePointer"] : f32
// CHECK: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory|MakeAvailable|MakeVisible>
// CHECK: spirv.KHR.CooperativeMatrixLoad %{{.+}}, %{{.+}}, <RowMajor>, <NonPrivatePointer>
// CHECK: spirv.KHR.CooperativeMatrixStore %{{.+}}, %{{.+}}, %{{.+}}, <RowMajor>, <NonPrivatePointer>
spirv.module Logical GLSL450 requires #spirv.vce<v1.6, [Shader, CooperativeMatrixKHR], [SPV_KHR_cooperative_matrix]> {
  spirv.func @kernel(%p: !spirv.ptr<f32, StorageBuffer>) "None" {
    %stride = spirv.Constant 16 : i32
    %x = spirv.Load "StorageBuffer" %p : f32
    spirv.Store "StorageBuffer" %p, %x : f32
    spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory>
    %m = spirv.KHR.CooperativeMatrixLoad %p, %stride, <RowMajor> : !spirv.ptr<f32, StorageBuffer>, i32 -> !spirv.coopmatrix<16x16xf32, Subgroup, MatrixAcc>
    spirv.KHR.CooperativeMatrixStore %p, %m, %stride, <RowMajor> : !spirv.ptr<f32, StorageBuffer>, !spirv.coopmatrix<16x16xf32, Subgroup, MatrixAcc>, i32
    spirv.Return
  }
}

// -----

// Without such matrices nothing changes.
// CHECK: spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [Shader], []>
// CHECK: spirv.Load "StorageBuffer" %{{.+}} : f32
spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [Shader], []> {
  spirv.func @kernel(%p: !spirv.ptr<f32, StorageBuffer>) "None" {
    %x = spirv.Load "StorageBuffer" %p : f32
    spirv.Return
  }
}

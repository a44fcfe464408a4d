// RUN: fuselage-opt %s --pass-pipeline='builtin.module(spirv.module(fuselage-read-through-texels))' | FileCheck %s

// What is only read becomes a texel buffer at its binding; what is written stays, and so do 8-bit elements.
// CHECK: spirv.GlobalVariable @scalars bind(0, 0) : !spirv.ptr<!spirv.image<f32, Buffer, NoDepth, NonArrayed, SingleSampled, NoSampler, R32f>, UniformConstant>
// CHECK: spirv.GlobalVariable @vectors bind(0, 1) : !spirv.ptr<!spirv.image<i32, Buffer, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba32ui>, UniformConstant>
// CHECK: spirv.GlobalVariable @pairs bind(0, 4) : !spirv.ptr<!spirv.image<i32, Buffer, NoDepth, NonArrayed, SingleSampled, NoSampler, Rg32ui>, UniformConstant>
// CHECK: spirv.GlobalVariable @bytes bind(0, 2) : !spirv.ptr<!spirv.struct<
// CHECK: spirv.GlobalVariable @results bind(0, 3) : !spirv.ptr<!spirv.struct<
// CHECK: %[[I:.+]] = spirv.Constant 3 : i32
// CHECK: %[[S:.+]] = spirv.mlir.addressof @scalars
// CHECK: %[[V:.+]] = spirv.Load "UniformConstant" %[[S]]
// CHECK: %[[T:.+]] = spirv.ImageRead %[[V]], %[[I]] : !spirv.image<{{.*}}>, i32 -> vector<4xf32>
// CHECK: %[[E:.+]] = spirv.CompositeExtract %[[T]][0 : i32] : vector<4xf32>
// CHECK: spirv.ImageRead {{.*}} -> vector<4xi32>
// CHECK: %[[P:.+]] = spirv.ImageRead {{.*}} -> vector<4xi32>
// CHECK: spirv.VectorShuffle [0 : i32, 1 : i32] %[[P]], %[[P]] : vector<4xi32>, vector<4xi32> -> vector<2xi32>
// CHECK: spirv.Store "StorageBuffer" {{.*}}, %[[E]]
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @scalars bind(0, 0) : !spirv.ptr<!spirv.struct<(!spirv.array<8 x f32, stride=4> [0])>, StorageBuffer>
  spirv.GlobalVariable @vectors bind(0, 1) : !spirv.ptr<!spirv.struct<(!spirv.array<8 x vector<4xi32>, stride=16> [0])>, StorageBuffer>
  spirv.GlobalVariable @pairs bind(0, 4) : !spirv.ptr<!spirv.struct<(!spirv.array<8 x vector<2xi32>, stride=8> [0])>, StorageBuffer>
  spirv.GlobalVariable @bytes bind(0, 2) : !spirv.ptr<!spirv.struct<(!spirv.array<8 x i8, stride=1> [0])>, StorageBuffer>
  spirv.GlobalVariable @results bind(0, 3) : !spirv.ptr<!spirv.struct<(!spirv.array<8 x f32, stride=4> [0])>, StorageBuffer>
  spirv.func @kernel() "None" {
    %zero = spirv.Constant 0 : i32
    %three = spirv.Constant 3 : i32
    %a = spirv.mlir.addressof @scalars : !spirv.ptr<!spirv.struct<(!spirv.array<8 x f32, stride=4> [0])>, StorageBuffer>
    %ap = spirv.AccessChain %a[%zero, %three] : !spirv.ptr<!spirv.struct<(!spirv.array<8 x f32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
    %av = spirv.Load "StorageBuffer" %ap : f32
    %b = spirv.mlir.addressof @vectors : !spirv.ptr<!spirv.struct<(!spirv.array<8 x vector<4xi32>, stride=16> [0])>, StorageBuffer>
    %bp = spirv.AccessChain %b[%zero, %three] : !spirv.ptr<!spirv.struct<(!spirv.array<8 x vector<4xi32>, stride=16> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<vector<4xi32>, StorageBuffer>
    %bv = spirv.Load "StorageBuffer" %bp : vector<4xi32>
    %d = spirv.mlir.addressof @pairs : !spirv.ptr<!spirv.struct<(!spirv.array<8 x vector<2xi32>, stride=8> [0])>, StorageBuffer>
    %dp = spirv.AccessChain %d[%zero, %three] : !spirv.ptr<!spirv.struct<(!spirv.array<8 x vector<2xi32>, stride=8> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<vector<2xi32>, StorageBuffer>
    %dv = spirv.Load "StorageBuffer" %dp : vector<2xi32>
    %c = spirv.mlir.addressof @bytes : !spirv.ptr<!spirv.struct<(!spirv.array<8 x i8, stride=1> [0])>, StorageBuffer>
    %cp = spirv.AccessChain %c[%zero, %three] : !spirv.ptr<!spirv.struct<(!spirv.array<8 x i8, stride=1> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<i8, StorageBuffer>
    %cv = spirv.Load "StorageBuffer" %cp : i8
    %r = spirv.mlir.addressof @results : !spirv.ptr<!spirv.struct<(!spirv.array<8 x f32, stride=4> [0])>, StorageBuffer>
    %rp = spirv.AccessChain %r[%zero, %three] : !spirv.ptr<!spirv.struct<(!spirv.array<8 x f32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
    spirv.Store "StorageBuffer" %rp, %av : f32
    spirv.Return
  }
}

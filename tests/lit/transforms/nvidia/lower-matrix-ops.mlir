// RUN: fuselage-opt %s '--fuselage-set-device=name=#fuselage.device<chip=sm_90>' --fuselage-lower-matrix-ops | FileCheck %s
// RUN: not fuselage-opt %s '--fuselage-set-device=name=#fuselage.device<chip=sm_75>' --fuselage-lower-matrix-ops 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: error: 'nvgpu.mma.sync' op needs a chip of compute capability 8.0 or more, and sm_75 is none

gpu.module @kernels {
  // No vector of bf16 is left.
  // CHECK-LABEL: gpu.func @bf16
  // CHECK-NOT: {{[0-9]}}xbf16>
  // CHECK: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>
  // CHECK-NOT: {{[0-9]}}xbf16>
  // CHECK: vector.from_elements {{.*}} : vector<2x2xf32>
  gpu.func @bf16(%c: vector<2x2xf32>, %out: memref<2x2xf32>) workgroup(%a: memref<1024xi16, 3>) kernel {
    %0 = arith.constant 0 : index
    %l = nvgpu.ldmatrix %a[%0] {numTiles = 4 : i32, transpose = false} : memref<1024xi16, 3> -> vector<4x2xi16>
    %left = vector.bitcast %l : vector<4x2xi16> to vector<4x2xbf16>
    %r = nvgpu.ldmatrix %a[%0] {numTiles = 4 : i32, transpose = true} : memref<1024xi16, 3> -> vector<4x2xi16>
    %both = vector.bitcast %r : vector<4x2xi16> to vector<4x2xbf16>
    %right = vector.extract_strided_slice %both {offsets = [2, 0], sizes = [2, 2], strides = [1, 1]} : vector<4x2xbf16> to vector<2x2xbf16>
    %sum = nvgpu.mma.sync (%left, %right, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    vector.store %sum, %out[%0, %0] : memref<2x2xf32>, vector<2x2xf32>
    gpu.return
  }
  // Sums wrap around, as those of arith do.
  // CHECK-LABEL: gpu.func @bytes
  // CHECK: nvvm.mma.sync {{.*}}intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>
  gpu.func @bytes(%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>, %out: memref<2x2xi32>) kernel {
    %0 = arith.constant 0 : index
    %sum = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    vector.store %sum, %out[%0, %0] : memref<2x2xi32>, vector<2x2xi32>
    gpu.return
  }
  // Upstream's conversion knows these.
  // CHECK-LABEL: gpu.func @f16
  // CHECK: nvgpu.mma.sync
  gpu.func @f16(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %out: memref<2x2xf16>) kernel {
    %0 = arith.constant 0 : index
    %sum = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    vector.store %sum, %out[%0, %0] : memref<2x2xf16>, vector<2x2xf16>
    gpu.return
  }
}

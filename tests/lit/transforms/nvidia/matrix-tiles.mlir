// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, max_threads = 1024, workgroup_bytes = 49152, matrix_shapes = [\"m16n8k16 f16\", \"m16n8k32 s8\"]>'},func.func(fuselage-map-to-gpu))" | FileCheck %s
// RUN: fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255, max_threads = 1024, workgroup_bytes = 49152>'},func.func(fuselage-map-to-gpu))" | FileCheck %s --check-prefix=NONE
// RUN: not fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<language = ptx, chip = sm_80, matrix_shapes = [\"m16n16k16 f16\"]>'},func.func(fuselage-map-to-gpu))" 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not fuselage-opt %s --split-input-file --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = software, subgroup_operations = [\"shuffle\"], matrix_shapes = [\"m16n8k16 f16\"]>'},func.func(fuselage-map-to-gpu))" 2>&1 | FileCheck %s --check-prefix=LANES
// SHAPE: error: the device's matrix_shapes list 'm16n16k16 f16', which no kernels are made with
// LANES: error: the device has matrix_shapes, but runs on a processor, whose lanes have tiles of their own

// NONE-NOT: nvgpu

// Four subgroups with 32 x 32 results each; rows are 16 bytes longer than they have to be, and copied 16 bytes at a time. The
// sums start with what is filled in, and pairs of neighbours are stored at once.
// CHECK-LABEL: func.func private @product
// CHECK: gpu.launch {{.*}} threads({{.*}}) in ({{.*}} = %c128
// CHECK-DAG: memref.alloc() : memref<64x40xf16, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.alloc() : memref<32x72xf16, #gpu.address_space<workgroup>>
// CHECK-NOT: linalg.fill
// CHECK: scf.for {{.*}} -> (vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>)
// CHECK-COUNT-4: vector.store {{.*}} vector<8xf16>
// CHECK: gpu.barrier
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false} : memref<64x32xf16, {{.*}}> -> vector<4x2xf16>
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true} : memref<32x64xf16, {{.*}}> -> vector<4x2xf16>
// CHECK-COUNT-16: nvgpu.mma.sync
// CHECK-NOT: nvgpu.mma.sync
// CHECK-COUNT-16: vector.store {{.*}} {alignment = 8 : i64} : {{.*}} vector<2xf32>
// CHECK-NOT: memref.store
func.func private @product(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) attributes {fuselage.dispatch = 0 : index} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.forall (%i) in (1) {
    linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
    scf.for %k = %c0 to %c64 step %c32 {
      %left = memref.subview %a[0, %k] [64, 32] [1, 1] : memref<64x64xf16> to memref<64x32xf16, strided<[64, 1], offset: ?>>
      %right = memref.subview %b[%k, 0] [32, 64] [1, 1] : memref<64x64xf16> to memref<32x64xf16, strided<[64, 1], offset: ?>>
      %l = memref.alloc() : memref<64x32xf16, #gpu.address_space<workgroup>>
      memref.copy %left, %l : memref<64x32xf16, strided<[64, 1], offset: ?>> to memref<64x32xf16, #gpu.address_space<workgroup>>
      %r = memref.alloc() : memref<32x64xf16, #gpu.address_space<workgroup>>
      memref.copy %right, %r : memref<32x64xf16, strided<[64, 1], offset: ?>> to memref<32x64xf16, #gpu.address_space<workgroup>>
      linalg.matmul ins(%l, %r : memref<64x32xf16, #gpu.address_space<workgroup>>, memref<32x64xf16, #gpu.address_space<workgroup>>) outs(%c : memref<64x64xf32>)
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// What the instructions do not divide, and what is more than a product, stays with the threads.
// CHECK-LABEL: func.func private @odd
// CHECK-NOT: nvgpu
func.func private @odd(%a: memref<20x32xf16>, %b: memref<32x64xf16>, %c: memref<20x64xf32>) attributes {fuselage.dispatch = 0 : index} {
  scf.forall (%i) in (1) {
    linalg.matmul ins(%a, %b : memref<20x32xf16>, memref<32x64xf16>) outs(%c : memref<20x64xf32>)
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

#left = affine_map<(m, n, k) -> (m, k)>
#right = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func private @squares
// CHECK-NOT: nvgpu
func.func private @squares(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %c: memref<32x32xf32>) attributes {fuselage.dispatch = 0 : index} {
  scf.forall (%i) in (1) {
    linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : memref<32x32xf16>, memref<32x32xf16>) outs(%c : memref<32x32xf32>) {
    ^bb0(%x: f16, %y: f16, %sum: f32):
      %d = arith.subf %x, %y : f16
      %w = arith.extf %d : f16 to f32
      %s = arith.mulf %w, %w : f32
      %t = arith.addf %sum, %s : f32
      linalg.yield %t : f32
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

// Operands in global memory are read element by element, and transposed bytes, too.
// CHECK-LABEL: func.func private @bytes
// CHECK-NOT: nvgpu.ldmatrix
// CHECK: nvgpu.mma.sync{{.*}} {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
func.func private @bytes(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %c: memref<16x8xi32>) attributes {fuselage.dispatch = 0 : index} {
  scf.forall (%i) in (1) {
    linalg.matmul ins(%a, %b : memref<16x32xi8>, memref<32x8xi8>) outs(%c : memref<16x8xi32>)
  } {mapping = [#gpu.block<x>]}
  return
}

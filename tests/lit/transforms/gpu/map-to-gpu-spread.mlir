// RUN: fuselage-opt %s --pass-pipeline="builtin.module(fuselage-set-device{name='#fuselage.device<kind = discrete, language = ptx, chip = sm_80, registers_per_thread = 255>'},func.func(fuselage-map-to-gpu,canonicalize,cse))" | FileCheck %s


// A thread holds 64 sums, four rows and four columns next to each other and as many half a tile away. Tiles are copied 16 bytes
// at a time; the bias is added, and what is negative cut off, where the sums are: the product takes no memory, and nothing is
// written but the result, 16 bytes at a time, as soon as four are there.
// CHECK-LABEL: func.func @matmul_bias_relu
// CHECK:         gpu.launch
// CHECK-SAME:      threads
// CHECK-DAG:       memref.alloc() : memref<128x16xf32, #gpu.address_space<workgroup>>
// CHECK-DAG:       memref.alloc() : memref<16x128xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:       memref.alloc
// CHECK:           %[[SUMS:.+]]:64 = scf.for
// CHECK-COUNT-4:     vector.store %{{.+}} : memref<{{.+}}, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK:             gpu.barrier
// CHECK:             scf.for
// CHECK-NOT:           memref.load
// CHECK-COUNT-16:      vector.load %{{.+}} : memref<{{.+}}, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK-NOT:           vector.load
// CHECK:               scf.yield
// CHECK:           vector.load %{{.+}} : memref<128xf32
// CHECK-COUNT-4:   arith.maximumf
// CHECK-NOT:       arith.maximumf
// CHECK:           vector.store
// CHECK-COUNT-15:  vector.store
// CHECK-NOT:       vector.store
// CHECK:           gpu.terminator
func.func @matmul_bias_relu(%a: memref<128x512xf32>, %b: memref<512x128xf32>, %bias: memref<128xf32>, %c: memref<128x128xf32>)
    attributes {fuselage.dispatch = 0 : i64} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  scf.forall (%i) in (1) {
    %product = memref.alloc() : memref<128x128xf32>
    linalg.fill ins(%zero : f32) outs(%product : memref<128x128xf32>)
    scf.for %k = %c0 to %c512 step %c16 {
      %left = memref.subview %a[0, %k] [128, 16] [1, 1] : memref<128x512xf32> to memref<128x16xf32, strided<[512, 1], offset: ?>>
      %right = memref.subview %b[%k, 0] [16, 128] [1, 1] : memref<512x128xf32> to memref<16x128xf32, strided<[128, 1], offset: ?>>
      %lhs = memref.alloc() : memref<128x16xf32>
      %rhs = memref.alloc() : memref<16x128xf32>
      linalg.copy ins(%left : memref<128x16xf32, strided<[512, 1], offset: ?>>) outs(%lhs : memref<128x16xf32>)
      linalg.copy ins(%right : memref<16x128xf32, strided<[128, 1], offset: ?>>) outs(%rhs : memref<16x128xf32>)
      linalg.matmul ins(%lhs, %rhs : memref<128x16xf32>, memref<16x128xf32>) outs(%product : memref<128x128xf32>)
    }
    linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%product, %bias : memref<128x128xf32>, memref<128xf32>) outs(%c : memref<128x128xf32>) {
    ^bb0(%sum: f32, %each: f32, %old: f32):
      %biased = arith.addf %sum, %each : f32
      %cut = arith.maximumf %biased, %zero : f32
      linalg.yield %cut : f32
    }
  } {mapping = [#gpu.block<x>]}
  return
}

// XLA's own dialects: xtile, xla, xla_gpu: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: xtile.extract %
// CHECK: xla.apply_indexing
// CHECK: xla.loop (%{{.*}})[%[[I:.*]], %[[J:.*]]] -> (%[[X:.*]]) in
// CHECK-NEXT: tensor.insert %{{.*}} into %{{.*}}[%[[X]]]

#indexing = #xla.indexing_map<"(th_x, bl_x)[s0] -> (bl_x * 128 + th_x + s0), domain: th_x in [0, 127], bl_x in [0, 15], s0 in [0, 3]">
module {
  xtile.entry_func @fusion(%arg0: memref<64x64xf32> {xla.slice_index = 0}, %arg1: memref<64x64xf32>, %tid: index) attributes {xtile.tiling_info = #xtile.tiling_info<tile_count:16, tiles_per_workgroup:4>} {
    %0 = xtile.extract %arg0[%tid, %tid][16, 16][1, 1] : memref<64x64xf32> -> tensor<16x16xf32>
    %1 = stablehlo.exponential %0 : tensor<16x16xf32>
    %pad = arith.constant 0.0 : f32
    %2 = xtile.mask %1 bounds [10, 16], %pad : tensor<16x16xf32>
    xtile.insert %2 into %arg1[%tid, %tid][16, 16][1, 1] : tensor<16x16xf32> -> memref<64x64xf32>
    xtile.return
  }
  func.func @loops(%t: tensor<128xf32>, %i: index) -> tensor<128xf32> attributes {xla.entry} {
    %th = gpu.thread_id x {xla.range = [0 : index, 127 : index]}
    %0 = xla.apply_indexing #indexing(%th, %i)[%i]
    %1 = xla_gpu.allocate_shared : tensor<128xf32>
    %3 = xla.pure_call @exp(%t, %i) : (tensor<128xf32>, index) -> f32
    %4 = xla_gpu.sync_threads %1 : tensor<128xf32>
    %5 = xla.atomic_rmw %t[%i] : tensor<128xf32> {
    ^bb0(%cur: f32):
      %s = arith.addf %cur, %3 : f32
      xla.yield %s : f32
    }
    %6 = xla_gpu.shuffle_reduce(%3) to 16 combiner=@exp {xla.range = [0 : index]} : f32
    %p = arith.constant true
    %7 = xla_gpu.predicated_insert %3 into %t[%i] if %p : tensor<128xf32>
    %8 = xla.loop (%th, %i)[%s0, %s1] -> (%x) in #indexing iter_args(%iter = %7) -> (tensor<128xf32>) {
      %in = tensor.insert %3 into %iter[%x] : tensor<128xf32>
      xla.yield %in : tensor<128xf32>
    }
    return %8 : tensor<128xf32>
  }
  func.func private @exp(tensor<128xf32>, index) -> f32
}

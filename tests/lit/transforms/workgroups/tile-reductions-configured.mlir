// Reductions outside of loops over workgroups: by the configuration that another compiler left on the
// op, or by the option.
// RUN: fuselage-opt %s --tolerant --fuselage-tile-reductions 2>/dev/null | FileCheck %s
// RUN: fuselage-opt %s --tolerant --fuselage-tile-reductions --fuselage-tile-reductions > %t.twice 2>/dev/null
// RUN: FileCheck %s --input-file %t.twice
// RUN: fuselage-opt %s --tolerant --fuselage-tile-reductions --fuselage-promote-operands --fuselage-swap-alloc-tensor 2>/dev/null | FileCheck %s --check-prefix=MEMORY

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#scale = affine_map<(d0, d1, d2) -> (d0, d2)>
#lhs = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#rhs = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#config = #iree_codegen.lowering_config<tile_sizes = [[32, 128, 1, 32]]>

// A kernel of IREE's: two serial loops, over groups and inside of one. The accumulator's fill stays in
// front, the weights' dequantization moves in. Two buffers in workgroup memory: the weights are
// computed right into theirs.
// CHECK-LABEL: func.func @kernel
// CHECK:         %[[X:.+]] = flow.dispatch.tensor.load {{.+}} -> tensor<32x6x128xf32>
// CHECK:         %[[ZERO:.+]] = linalg.fill
// CHECK:         scf.for %[[G:.+]] = %c0 to %c6 step %c1 iter_args(%[[OUTER:.+]] = %[[ZERO]]) -> (tensor<32x128xf32>)
// CHECK:           scf.for %[[K:.+]] = %c0 to %c128 step %c32 iter_args(%[[ACC:.+]] = %[[OUTER]]) -> (tensor<32x128xf32>)
// CHECK:             %[[XT:.+]] = tensor.extract_slice %[[X]][0, %[[G]], %[[K]]] [32, 1, 32]
// CHECK-NOT:         linalg.fill
// CHECK:             %[[W:.+]] = linalg.generic
// CHECK:               arith.sitofp
// CHECK:             linalg.generic {{.*}} ins(%[[XT]], %[[W]] : tensor<32x1x32xf32>, tensor<1x32x128xf32>) outs(%[[ACC]] : tensor<32x128xf32>)
// CHECK-NOT:     scf.for
// CHECK:         flow.dispatch.tensor.store
//
// MEMORY-LABEL: func.func @kernel
// MEMORY:         %[[B:.+]] = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<1x32x128xf32>
// MEMORY:         %[[W:.+]] = linalg.generic {{.*}} outs(%[[B]] : tensor<1x32x128xf32>)
// MEMORY:         %[[A:.+]] = bufferization.alloc_tensor() copy(%{{.+}}) {memory_space = #gpu.address_space<workgroup>} : tensor<32x1x32xf32>
// MEMORY:         linalg.generic {{.*}} ins(%[[A]], %[[W]] :
// MEMORY-NOT:     bufferization.alloc_tensor
// MEMORY:         flow.dispatch.tensor.store
func.func @kernel() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %b0 = hal.interface.binding.subspan set(0) binding(0) type(storage_buffer) alignment(64) offset(%c0) flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<6x128x256xi4>>
  %b1 = hal.interface.binding.subspan set(0) binding(1) type(storage_buffer) alignment(64) offset(%c0) flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<6x256xf32>>
  %b2 = hal.interface.binding.subspan set(0) binding(2) type(storage_buffer) alignment(64) offset(%c0) flags(ReadOnly) : !flow.dispatch.tensor<readonly:tensor<64x6x128xf32>>
  %b3 = hal.interface.binding.subspan set(0) binding(3) type(storage_buffer) alignment(64) offset(%c0) : !flow.dispatch.tensor<writeonly:tensor<64x256xf32>>
  %y = hal.interface.workgroup.id[1] : index
  %x = hal.interface.workgroup.id[0] : index
  %row = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%y]
  %column = affine.apply affine_map<()[s0] -> (s0 * 128)>()[%x]
  %lhs = flow.dispatch.tensor.load %b2, offsets = [%row, 0, 0], sizes = [32, 6, 128], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<64x6x128xf32>> -> tensor<32x6x128xf32>
  %w = flow.dispatch.tensor.load %b0, offsets = [0, 0, %column], sizes = [6, 128, 128], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<6x128x256xi4>> -> tensor<6x128x128xi4>
  %s = flow.dispatch.tensor.load %b1, offsets = [0, %column], sizes = [6, 128], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<6x256xf32>> -> tensor<6x128xf32>
  %e = tensor.empty() : tensor<6x128x128xf32>
  %d = linalg.generic {indexing_maps = [#id3, #scale, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<6x128x128xi4>, tensor<6x128xf32>) outs(%e : tensor<6x128x128xf32>) {
  ^bb0(%in: i4, %f: f32, %o: f32):
    %i = arith.extsi %in : i4 to i32
    %g = arith.sitofp %i : i32 to f32
    %p = arith.mulf %g, %f : f32
    linalg.yield %p : f32
  } -> tensor<6x128x128xf32>
  %init = tensor.empty() : tensor<32x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<32x128xf32>) -> tensor<32x128xf32>
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%lhs, %d : tensor<32x6x128xf32>, tensor<6x128x128xf32>) outs(%fill : tensor<32x128xf32>) attrs = {lowering_config = #config} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<32x128xf32>
  flow.dispatch.tensor.store %r, %b3, offsets = [%row, %column], sizes = [32, 128], strides = [1, 1] : tensor<32x128xf32> -> !flow.dispatch.tensor<writeonly:tensor<64x256xf32>>
  return
}

// The sizes stand in a compilation_info; the first level has none for the reduction.
// CHECK-LABEL: func.func @compilation_info
// CHECK:         scf.for {{.*}} step %c16
// CHECK:           linalg.matmul {{.*}}ins(%{{.+}}, %{{.+}} : tensor<64x16xf32>, tensor<16x64xf32>)
func.func @compilation_info(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul {compilation_info = #iree_codegen.compilation_info<lowering_config = <tile_sizes = [[32, 32, 0], [0, 0, [16]]]>, translation_info = <None>>}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// As GPUs have it since 2024, and as a dictionary before 2022.
// CHECK-LABEL: func.func @gpu_config
// CHECK:         scf.for {{.*}} step %c8
func.func @gpu_config(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{reduction = [0, 0, 8], workgroup = [32, 32, 0]}>}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
// CHECK-LABEL: func.func @dictionary
// CHECK:         scf.for {{.*}} step %c4
func.func @dictionary(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul {lowering.config = {tileSizes = [[32, 32, 4]]}}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// Without a word about it, an op outside of dispatches stays whole.
// CHECK-LABEL: func.func @no_config
// CHECK-NOT:     scf.for
func.func @no_config(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

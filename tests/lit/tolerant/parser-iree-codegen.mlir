// IREE: codegen, gpu, vector_ext, pcf: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: iree_codegen.inner_tiled ins(
// CHECK: pcf.loop scope(#iree_gpu.subgroup_scope) count(%{{.*}}) execute(

#config = #iree_codegen.lowering_config<tile_sizes = [[64, 64, 0], [8, 32, 0], [0, 0, 16], [0, 0, 0]]>
#translation = #iree_codegen.translation_info<pipeline = CPUDoubleTilingExpert, {enable_loop_peeling}>
#gpu_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, promote_operands = [0, 1], reduction = [0, 0, 4], subgroup = [2, 4, 0], workgroup = [64, 128, 0]}>
#layout = #iree_vector_ext.nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [1, 0], thread_strides = [16, 1]>
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @tiled(%a: tensor<64x128xf16>, %b: tensor<128x128xf16>, %c: tensor<64x128xf32>, %n: index, %buf: memref<?x4xf32>) -> tensor<64x128xf32> attributes {translation_info = #translation} {
  %c0 = arith.constant 0 : index
  %0 = iree_gpu.multi_mma ins(%a, %b) outs(%c) {indexing_maps = [#map, #map1, #map2], iterator_types = [#iree_gpu.iterator_type<parallel>, #iree_gpu.iterator_type<parallel>, #iree_gpu.iterator_type<reduction>], kind = #iree_gpu.data_tiled_mma_layout<intrinsic = MFMA_F32_16x16x4_F32, intrinsics_m = 8>} : tensor<64x128xf16>, tensor<128x128xf16> into tensor<64x128xf32>
  %1 = iree_codegen.inner_tiled ins(%a, %b) outs(%0) {indexing_maps = [#map, #map1, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], kind = #iree_gpu.mma_layout<WMMAR3_F32_16x16x16_F16>, lowering_config = #gpu_config, semantics = #iree_gpu.mma_semantics<distributed = false, opaque = false>} : tensor<64x128xf16>, tensor<128x128xf16> into tensor<64x128xf32>
  %2 = iree_codegen.ukernel.generic "iree_uk_mmt4d" ins(%a, %b : tensor<64x128xf16>, tensor<128x128xf16>) outs(%1 : tensor<64x128xf32>) (%n, %c0 : index, index) fn_def_attrs {processor_data} strided_dims([[0], [0], []]) -> tensor<64x128xf32>
  %3 = iree_gpu.barrier_region ins(%2 : tensor<64x128xf32>) {
  ^bb0(%in: tensor<64x128xf32>):
    %r = tensor.extract_slice %in[0, 0] [64, 128] [1, 1] : tensor<64x128xf32> to tensor<64x128xf32>
    iree_gpu.yield %r : tensor<64x128xf32>
  } : tensor<64x128xf32>
  %4 = iree_gpu.value_barrier %3 : tensor<64x128xf32>
  %5 = iree_gpu.shuffle_tensor %4[%n, 0] [4, 4] [1, 1] to %c {
  ^bb0(%x: tensor<64x128xf32>):
    %y = tensor.extract_slice %x[0, 0] [64, 128] [1, 1] : tensor<64x128xf32> to tensor<64x128xf32>
    iree_gpu.yield %y : tensor<64x128xf32>
  } : tensor<64x128xf32> -> tensor<64x128xf32> -> tensor<64x128xf32>
  %6 = iree_codegen.index_hint %n(#iree_gpu.lane_constant<16>) : index
  %7 = iree_vector_ext.to_layout %5 to layout(#layout) {shared_memory_conversion} : tensor<64x128xf32>
  %mem:6 = iree_codegen.extract_strided_metadata %buf : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  %8 = iree_codegen.load_from_buffer %buf : memref<?x4xf32> -> tensor<?x4xf32>
  iree_codegen.store_to_buffer %8, %buf : tensor<?x4xf32> into memref<?x4xf32>
  %9 = iree_codegen.null_pointer : !iree_codegen.null_pointer
  %q:2 = iree_codegen.query_tile_sizes tensor<4x4xf32> -> index, index
  iree_codegen.workgroup_count_hint sizes(%n, 4, %c0)
  return %7 : tensor<64x128xf32>
}

func.func @vectors(%v: vector<4x8xf32>, %i: vector<4xindex>, %m: memref<16x8xf32>, %pad: f32, %mask: vector<4x8xi1>, %a: vector<4xf32>, %b: vector<4xi32>) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %0 = iree_vector_ext.transfer_gather %m[%c0, %c0] [%i: vector<4xindex>], %pad, %mask {indexed_maps = [affine_map<(d0, d1) -> (d0)>], in_bounds = [true, true]} : memref<16x8xf32>, vector<4x8xf32>
  %1 = iree_vector_ext.to_simt %0 : vector<4x8xf32> -> vector<1x8xf32>
  %2 = iree_vector_ext.to_simd %1 : vector<1x8xf32> -> vector<4x8xf32>
  %3:2 = iree_vector_ext.arg_compare dimension(1) ins(%2 : vector<4x8xf32>) inits(%a, %b : vector<4xf32>, vector<4xi32>) {
  ^bb0(%x: f32, %y: f32):
    %gt = arith.cmpf ogt, %x, %y : f32
    iree_vector_ext.yield %gt : i1
  } -> vector<4xf32>, vector<4xi32>
  return %2 : vector<4x8xf32>
}

func.func @pcf(%n: index, %init: tensor<?xf32>) -> tensor<?xf32> {
  %0 = pcf.loop scope(#iree_gpu.subgroup_scope) count(%n) execute(%ref = %init)[%id: index] : (!pcf.sref<?xf32, #iree_gpu.subgroup_scope>) -> (tensor<?xf32>{%n}) {
    %v = tensor.empty(%n) : tensor<?xf32>
    pcf.write_slice %v into %ref[%id] [%n] [1] : tensor<?xf32> into !pcf.sref<?xf32, #iree_gpu.subgroup_scope>
    pcf.return
  }
  %1 = pcf.generic scope(#pcf.sequential) initialize {
    %alloc = pcf.alloc(%n) : !pcf.sref<?xf32, #pcf.sequential>
    pcf.yield %alloc : !pcf.sref<?xf32, #pcf.sequential>
  } -> (%s: !pcf.sref<?xf32, #pcf.sequential>) execute(%out = %0)[%i: index, %cnt: index] : (!pcf.sref<?xf32, sync(#pcf.sequential)>) -> (tensor<?xf32>) {
    %t = pcf.read_slice %out[%i] [4] [1] : !pcf.sref<?xf32, sync(#pcf.sequential)> to tensor<4xf32>
    pcf.return
  }
  return %1 : tensor<?xf32>
}

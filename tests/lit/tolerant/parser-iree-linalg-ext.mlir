// IREE: linalg_ext, encodings, tensor_ext: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: iree_linalg_ext.attention {
// CHECK: iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#encoding = #iree_encoding.encoding<operand_index = 0 : index, op_type = matmul, element_types = [f16, f16, f32], user_indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iteration_sizes = [?, ?, 4096]>

func.func @attention(%q: tensor<20x4096x64xf16>, %k: tensor<20x1024x64xf16>, %v: tensor<20x1024x64xf16>, %scale: f16, %mask: tensor<20x4096x1024xi1>, %out: tensor<20x4096x64xf16>) -> tensor<20x4096x64xf16> {
  %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map1, #map2, #map3, #map4], decomposition_config = {qk_attrs = {attention_qk_matmul, lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>, subgroup_m_count = 4, subgroup_n_count = 1}>}}} ins(%q, %k, %v, %scale : tensor<20x4096x64xf16>, tensor<20x1024x64xf16>, tensor<20x1024x64xf16>, f16) outs(%out : tensor<20x4096x64xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<20x4096x64xf16>
  %acc = tensor.empty() : tensor<20x4096x64xf32>
  %red = tensor.empty() : tensor<20x4096xf32>
  %1:3 = iree_linalg_ext.online_attention {indexing_maps = [#map, #map1, #map2, #map3, #map4, #map4, #map4]} ins(%q, %k, %v, %scale : tensor<20x4096x64xf16>, tensor<20x1024x64xf16>, tensor<20x1024x64xf16>, f16) outs(%acc, %red, %red : tensor<20x4096x64xf32>, tensor<20x4096xf32>, tensor<20x4096xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<20x4096x64xf32>, tensor<20x4096xf32>, tensor<20x4096xf32>
  return %0 : tensor<20x4096x64xf16>
}

func.func @sorting(%x: tensor<8x16xi32>, %i: tensor<8x16xi32>, %ov: tensor<8x3xi32>, %oi: tensor<8x3xi32>) -> (tensor<8x16xi32>, tensor<8x3xi32>, tensor<8x3xi32>) {
  %0:2 = iree_linalg_ext.sort dimension(1) outs(%x, %i : tensor<8x16xi32>, tensor<8x16xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %lt = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %lt : i1
  } -> tensor<8x16xi32>, tensor<8x16xi32>
  %1:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<8x16xi32>, tensor<8x16xi32>) outs(%ov, %oi : tensor<8x3xi32>, tensor<8x3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %gt = arith.cmpi sgt, %a, %b : i32
    iree_linalg_ext.yield %gt : i1
  } -> tensor<8x3xi32>, tensor<8x3xi32>
  %2:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<8x16xi32>) outs(%ov, %oi : tensor<8x3xi32>, tensor<8x3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %gt = arith.cmpi sgt, %a, %b : i32
    iree_linalg_ext.yield %gt : i1
  } -> tensor<8x3xi32>, tensor<8x3xi32>
  return %0#0, %1#0, %2#1 : tensor<8x16xi32>, tensor<8x3xi32>, tensor<8x3xi32>
}

func.func @moving(%src: tensor<5x8xf32>, %idx: tensor<5x1xi32>, %dst: tensor<100x8xf32>, %img: tensor<2x34x34x640xf32>, %n: index, %zero: f32) {
  %c0 = arith.constant 0 : index
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%src, %idx : tensor<5x8xf32>, tensor<5x1xi32>) outs(%dst : tensor<100x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<100x8xf32>
  %1 = iree_linalg_ext.gather dimension_map = [0] ins(%dst, %idx : tensor<100x8xf32>, tensor<5x1xi32>) outs(%src : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = tensor.empty() : tensor<2x1024x5760xf32>
  %2 = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] m_offset = [%n] * [1] k_offset = [0] * [1] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] ins(%img : tensor<2x34x34x640xf32>) outs(%e : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  %p = tensor.empty() : tensor<4x2x8x4xf32>
  %3 = iree_linalg_ext.pack %src padding_value(%zero : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %p : (tensor<5x8xf32> tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
  %w = tensor.empty() : tensor<8x8x2x6x6x640xf32>
  %4 = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%img : tensor<2x34x34x640xf32>) outs(%w : tensor<8x8x2x6x6x640xf32>) -> tensor<8x8x2x6x6x640xf32>
  %5:2 = iree_linalg_ext.fft ins(%c0, %src, %src : index, tensor<5x8xf32>, tensor<5x8xf32>) outs(%src, %src : tensor<5x8xf32>, tensor<5x8xf32>) : tensor<5x8xf32>, tensor<5x8xf32>
  %6:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%src : tensor<5x8xf32>) outs(%src, %dst : tensor<5x8xf32>, tensor<100x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<5x8xf32>, tensor<100x8xf32>
  %7 = iree_linalg_ext.map_scatter %src into %dst {
  ^bb0(%i: index, %j: index):
    %in = arith.cmpi ult, %i, %n : index
    iree_linalg_ext.yield %i, %j, %in : index, index, i1
  } : tensor<5x8xf32> into tensor<100x8xf32> -> tensor<100x8xf32>
  %8 = iree_linalg_ext.custom_op{indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, s0)>, affine_map<(d0, d1)[s0] -> (d0, d1)>], iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>]} ins(%src : tensor<5x8xf32>) outs(%dst : tensor<100x8xf32>) {
  ^bb0(%t0: tensor<?x?xf32>, %t1: tensor<?x?xf32>):
    iree_linalg_ext.yield %t1 : tensor<?x?xf32>
  } -> tensor<100x8xf32>
  %9 = iree_encoding.set_encoding %src : tensor<5x8xf32> -> tensor<5x8xf32, #encoding>
  %10 = iree_encoding.unset_encoding %9 : tensor<5x8xf32, #encoding> -> tensor<?x8xf32>{%n}
  %11 = iree_tensor_ext.compute_barrier.start %src : tensor<5x8xf32> -> tensor<5x8xf32>
  %12 = iree_tensor_ext.bitcast %dst : tensor<100x8xf32> -> tensor<100x16xf16>
  %13 = iree_tensor_ext.dispatch.workload.ordinal %n, 0 : index
  return
}

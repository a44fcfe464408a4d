// Which op of the parsed LLVM an op of another one is.
#include "core/ir/source/LegacyOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace fuselage {

/// Where an op is missing here, it never changed, or has no form in words of today; such ops are read as they stand.
static constexpr LegacyOp kLegacyOps[] = {
    // std: arith
    {"addf", 14, "arith.addf"},
    {"subf", 14, "arith.subf"},
    {"mulf", 14, "arith.mulf"},
    {"divf", 14, "arith.divf"},
    {"remf", 14, "arith.remf"},
    {"negf", 14, "arith.negf"},
    {"addi", 14, "arith.addi"},
    {"subi", 14, "arith.subi"},
    {"muli", 14, "arith.muli"},
    {"divi_signed", 14, "arith.divsi"},
    {"divis", 14, "arith.divsi"},
    {"divi_unsigned", 14, "arith.divui"},
    {"diviu", 14, "arith.divui"},
    {"remi_signed", 14, "arith.remsi"},
    {"remis", 14, "arith.remsi"},
    {"remi_unsigned", 14, "arith.remui"},
    {"remiu", 14, "arith.remui"},
    {"ceildivi_signed", 14, "arith.ceildivsi"},
    {"floordivi_signed", 14, "arith.floordivsi"},
    {"and", 14, "arith.andi"},
    {"or", 14, "arith.ori"},
    {"xor", 14, "arith.xori"},
    {"shift_left", 14, "arith.shli"},
    {"shift_right_signed", 14, "arith.shrsi"},
    {"shift_right_unsigned", 14, "arith.shrui"},
    {"cmpi", 14, "arith.cmpi"},
    {"cmpf", 14, "arith.cmpf"},
    {"index_cast", 14, "arith.index_cast"},
    {"sitofp", 14, "arith.sitofp"},
    {"uitofp", 14, "arith.uitofp"},
    {"fptosi", 14, "arith.fptosi"},
    {"fptoui", 14, "arith.fptoui"},
    {"fpext", 14, "arith.extf"},
    {"fptrunc", 14, "arith.truncf"},
    {"sexti", 14, "arith.extsi"},
    {"zexti", 14, "arith.extui"},
    {"trunci", 14, "arith.trunci"},
    {"bitcast", 14, "arith.bitcast"},
    {"maxf", 14, "arith.maximumf"},
    {"minf", 14, "arith.minimumf"},
    {"maxsi", 14, "arith.maxsi"},
    {"maxui", 14, "arith.maxui"},
    {"minsi", 14, "arith.minsi"},
    {"minui", 14, "arith.minui"},
    {"select", 15, "arith.select"},
    // std: math
    {"absf", 14, "math.absf"},
    {"ceilf", 14, "math.ceil"},
    {"floorf", 14, "math.floor"},
    {"copysign", 14, "math.copysign"},
    {"fmaf", 14, "math.fma"},
    {"exp", 13, "math.exp"},
    {"exp2", 13, "math.exp2"},
    {"expm1", 13, "math.expm1"},
    {"log", 13, "math.log"},
    {"log2", 13, "math.log2"},
    {"log10", 13, "math.log10"},
    {"log1p", 13, "math.log1p"},
    {"sqrt", 13, "math.sqrt"},
    {"rsqrt", 13, "math.rsqrt"},
    {"sin", 13, "math.sin"},
    {"cos", 13, "math.cos"},
    {"tanh", 13, "math.tanh"},
    {"atan", 13, "math.atan"},
    {"atan2", 13, "math.atan2"},
    {"powf", 13, "math.powf"},
    // std: cf, func
    {"br", 15, "cf.br"},
    {"cond_br", 15, "cf.cond_br"},
    {"switch", 15, "cf.switch"},
    {"assert", 15, "cf.assert"},
    {"call", 15, "func.call"},
    {"call_indirect", 15, "func.call_indirect"},
    {"return", 15, "func.return"},
    // std: memref
    {"alloc", 13, "memref.alloc"},
    {"alloca", 13, "memref.alloca"},
    {"dealloc", 13, "memref.dealloc"},
    {"load", 13, "memref.load"},
    {"store", 13, "memref.store"},
    {"view", 13, "memref.view"},
    {"subview", 13, "memref.subview"},
    {"transpose", 13, "memref.transpose"},
    {"memref_cast", 13, "memref.cast"},
    {"memref_reinterpret_cast", 13, "memref.reinterpret_cast"},
    {"memref_reshape", 13, "memref.reshape"},
    {"memref_copy", 13, "memref.copy"},
    {"global_memref", 13, "memref.global"},
    {"get_global_memref", 13, "memref.get_global"},
    {"assume_alignment", 13, "memref.assume_alignment"},
    {"prefetch", 13, "memref.prefetch"},
    {"dma_start", 13, "memref.dma_start"},
    {"dma_wait", 13, "memref.dma_wait"},
    {"atomic_rmw", 13, "memref.atomic_rmw"},
    {"generic_atomic_rmw", 13, "memref.generic_atomic_rmw"},
    {"atomic_yield", 13, "memref.atomic_yield"},
    // std: tensor, bufferization, complex
    {"extract_element", 13, "tensor.extract"},
    {"tensor_cast", 13, "tensor.cast"},
    {"tensor_from_elements", 13, "tensor.from_elements"},
    {"dynamic_tensor_from_elements", 13, "tensor.generate"},
    {"subtensor", 13, "tensor.extract_slice"},
    {"subtensor_insert", 13, "tensor.insert_slice"},
    {"tensor_load", 14, "bufferization.to_tensor", legacy::toTensor},
    {"tensor_to_memref", 14, "bufferization.to_buffer", legacy::toBuffer},
    {"tensor_store", 18, "bufferization.materialize_in_destination", legacy::tensorStore},
    {"create_complex", 13, "complex.create"},
    {"re", 13, "complex.re"},
    {"im", 13, "complex.im"},
    {"addcf", 13, "complex.add"},
    {"subcf", 13, "complex.sub"},
    // arith, math, affine
    {"arith.maxf", 18, "arith.maximumf"},
    {"arith.minf", 18, "arith.minimumf"},
    {"arith.addui_carry", 16, "arith.addui_extended"},
    {"math.abs", 16, "math.absf"},
    {"affine.terminator", 11, "affine.yield"},
    // tensor
    {"tensor.subtensor", 13, "tensor.extract_slice"},
    {"tensor.subtensor_insert", 13, "tensor.insert_slice"},
    {"tensor.pack", 21, "linalg.pack"},
    {"tensor.unpack", 21, "linalg.unpack"},
    {"tensor.extract_slice", 23, "", legacy::emptySlice},
    {"tensor.insert_slice", 23, "", legacy::emptySlice},
    {"tensor.expand_shape", 19, "", legacy::expandShape},
    // memref, bufferization
    {"memref.expand_shape", 19, "", legacy::expandShape},
    {"memref.buffer_cast", 14, "bufferization.to_buffer", legacy::toBuffer},
    {"memref.tensor_load", 14, "bufferization.to_tensor", legacy::toTensor},
    {"memref.tensor_store", 18, "bufferization.materialize_in_destination", legacy::tensorStore},
    {"memref.clone", 14, "bufferization.clone"},
    {"bufferization.to_tensor", 20, "", legacy::toTensor},
    {"bufferization.to_memref", 21, "bufferization.to_buffer", legacy::toBuffer},
    {"bufferization.to_buffer", 20, "", legacy::toBuffer},
    {"bufferization.copy_tensor", 17, "bufferization.materialize_in_destination", legacy::copyTensor},
    {"bufferization.materialize_in_destination", 18, "", legacy::materialize},
    // linalg: names
    {"linalg.conv_1d_input_nwc_filter_wcf", 14, "linalg.conv_1d_nwc_wcf"},
    {"linalg.conv_2d_input_nhwc_filter_hwcf", 14, "linalg.conv_2d_nhwc_hwcf"},
    {"linalg.conv_2d_input_nchw_filter_fchw", 14, "linalg.conv_2d_nchw_fchw"},
    {"linalg.conv_3d_input_ndhwc_filter_dhwcf", 14, "linalg.conv_3d_ndhwc_dhwcf"},
    {"linalg.depthwise_conv_2d_input_nhwc_filter_hwc", 14, "linalg.depthwise_conv_2d_nhwc_hwc"},
    {"linalg.depthwise_conv_2d_input_nhwc_filter_hwcf", 14, "linalg.depthwise_conv_2d_nhwc_hwcm"},
    {"linalg.depthwise_conv_2d_nhwc", 14, "linalg.depthwise_conv_2d_nhwc_hwcm"},
    {"linalg.depthwise_conv_2d_nhw", 14, "linalg.depthwise_conv_2d_nhwc_hwc"},
    {"linalg.depthwise_conv2D_nhwc", 14, "linalg.depthwise_conv_2d_nhwc_hwcm"},
    {"linalg.depthwise_conv2D_nhw", 14, "linalg.depthwise_conv_2d_nhwc_hwc"},
    {"linalg.depthwise_conv_2d_nchw", 14, "linalg.depthwise_conv_2d_nchw_chw"},
    {"linalg.matmul_i8_i8_i32", 13, "linalg.matmul"},
    {"linalg.matmul_i16_i16_i32", 13, "linalg.matmul"},
    {"linalg.matmul_i32_i32_i32", 13, "linalg.matmul"},
    {"linalg.batch_matmul_i8_i8_i32", 13, "linalg.batch_matmul"},
    {"linalg.matvec_i8_i8_i32", 13, "linalg.matvec"},
    {"linalg.vecmat_i8_i8_i32", 13, "linalg.vecmat"},
    {"linalg.dot_i8_i8_i32", 13, "linalg.dot"},
    // linalg: what became ops of other dialects
    {"linalg.init_tensor", 16, "tensor.empty", legacy::initTensor},
    {"linalg.pad_tensor", 14, "tensor.pad", legacy::padTensor},
    {"linalg.tensor_expand_shape", 14, "tensor.expand_shape", legacy::expandShape},
    {"linalg.tensor_collapse_shape", 14, "tensor.collapse_shape"},
    {"linalg.expand_shape", 14, "memref.expand_shape", legacy::expandShape},
    {"linalg.collapse_shape", 14, "memref.collapse_shape"},
    // linalg: forms
    {"linalg.matmul_transpose_a", 22, "linalg.matmul", legacy::transposeA},
    {"linalg.matmul_transpose_b", 22, "linalg.matmul", legacy::transposeB},
    {"linalg.batch_matmul_transpose_a", 22, "linalg.batch_matmul", legacy::batchTransposeA},
    {"linalg.batch_matmul_transpose_b", 22, "linalg.batch_matmul", legacy::batchTransposeB},
    {"linalg.matmul_unsigned", 20, "linalg.matmul", legacy::unsignedCast},
    {"linalg.elemwise_unary", 21, "linalg.elementwise", legacy::elemwise},
    {"linalg.elemwise_binary", 21, "linalg.elementwise", legacy::elemwise},
    {"linalg.elementwise", 24, "", legacy::elementwise},
    {"linalg.map", 22, "", legacy::mapRegion},
    {"linalg.winograd_filter_transform", 22, "", legacy::winograd},
    {"linalg.winograd_input_transform", 22, "", legacy::winograd},
    {"linalg.winograd_output_transform", 22, "", legacy::winograd},
    {"linalg.generic", 15, "", legacy::iteratorTypes},
    {"linalg.pack", 23, "", legacy::packOfBuffers},
    {"linalg.unpack", 23, "", legacy::packOfBuffers},
    // vector
    {"vector.extract", 18, "", legacy::extract},
    {"vector.extractelement", 22, "vector.extract", legacy::extractElement},
    {"vector.insertelement", 22, "vector.insert", legacy::insertElement},
    {"vector.splat", 22, "vector.broadcast", legacy::vectorSplat},
    {"vector.reduction", 18, "", legacy::combiningKind},
    {"vector.multi_reduction", 18, "", legacy::multiReduction},
    {"vector.scan", 18, "", legacy::combiningKind},
    {"vector.contract", 18, "", legacy::combiningKind},
    {"vector.outerproduct", 18, "", legacy::combiningKind},
    {"vector.warp_execute_on_lane_0", 20, "gpu.warp_execute_on_lane_0"},
    {"vector.yield", 20, "gpu.yield", legacy::warpYield},
    // scf
    {"scf.foreach_thread", 17, "scf.forall", legacy::foreachThread},
    {"scf.foreach_thread.perform_concurrently", 17, "scf.forall.in_parallel"},
    {"scf.foreach_thread.parallel_insert_slice", 16, "tensor.parallel_insert_slice"},
    {"scf.yield", 18, "", legacy::parallelYield},
    {"scf.reduce", 18, "", legacy::reduce},
    {"loop.for", 11, "scf.for"},
    {"loop.if", 11, "scf.if"},
    {"loop.parallel", 11, "scf.parallel"},
    {"loop.while", 11, "scf.while"},
    {"loop.condition", 11, "scf.condition"},
    {"loop.reduce.return", 11, "scf.reduce.return"},
    {"loop.yield", 11, "scf.yield"},
    {"loop.reduce", 18, "scf.reduce", legacy::reduce},
    // transform
    {"transform.sequence", 17, "", legacy::sequence},
    {"transform.structured.canonicalized_sequence", 16, "transform.sequence", legacy::sequence},
    {"transform.structured.match", 17, "", legacy::match},
    {"transform.match.operation_name", 17, "", legacy::match},
    {"transform.structured.tile", 18, "transform.structured.tile_using_for", legacy::tileFor},
    {"transform.structured.tile_to_scf_for", 18, "transform.structured.tile_using_for", legacy::tileFor},
    {"transform.structured.tile_using_for", 19, "", legacy::tileFor},
    {"transform.structured.tile_to_foreach_thread_op", 17, "transform.structured.tile_using_forall",
     legacy::tileForall},
    {"transform.structured.tile_to_forall_op", 18, "transform.structured.tile_using_forall", legacy::tileForall},
    {"transform.structured.tile_reduction_using_scf", 18, "transform.structured.tile_reduction_using_for",
     legacy::tileReduction},
    {"transform.structured.tile_reduction_using_foreach_thread", 17, "transform.structured.tile_reduction_using_forall",
     legacy::tileReduction},
    {"transform.structured.fuse", 22, "", legacy::fuse},
    {"transform.structured.fuse_into_containing_op", 17, "", legacy::fuseInto},
    {"transform.structured.interchange", 17, "", legacy::interchange},
    {"transform.structured.vectorize", 18, "transform.structured.vectorize_children_and_apply_patterns",
     legacy::vectorize},
    {"transform.structured.masked_vectorize", 18, "transform.structured.vectorize", legacy::handlesAlone},
    {"transform.structured.split", 21, "", legacy::split},
    {"transform.structured.pad", 18, "", legacy::pad},
    {"transform.structured.map_nested_foreach_thread_to_gpu_threads", 17, "transform.gpu.map_nested_forall_to_threads",
     legacy::mapToThreads},
    {"transform.structured.map_nested_foreach_to_gpu_threads", 17, "transform.gpu.map_nested_forall_to_threads",
     legacy::mapToThreads},
    {"transform.gpu.map_nested_foreach_to_threads", 17, "transform.gpu.map_nested_forall_to_threads",
     legacy::mapToThreads},
    {"transform.structured.map_foreach_thread_to_gpu_blocks", 17, "transform.gpu.map_forall_to_blocks",
     legacy::mapToThreads},
    {"transform.gpu.map_foreach_to_blocks", 17, "transform.gpu.map_forall_to_blocks", legacy::mapToThreads},
    {"transform.structured.hoist_redundant_tensor_subsets", 18, "transform.loop.hoist_loop_invariant_subsets",
     legacy::handlesAlone},
    {"transform.get_closest_isolated_parent", 18, "transform.get_parent_op", legacy::isolatedParent},
    {"transform.loop.get_parent_for", 18, "transform.get_parent_op", legacy::parentLoop},
    {"transform.split_handles", 17, "transform.split_handle", legacy::splitHandle},
    {"transform.loop.peel", 18, "", legacy::twoLoops},
    {"transform.loop.outline", 17, "", legacy::twoLoops},
    {"transform.apply_registered_pass", 22, "", legacy::registeredPass},
    {"transform.structured.generalize", 17, "", legacy::handles},
    {"transform.structured.decompose", 17, "", legacy::handles},
    {"transform.structured.promote", 17, "", legacy::handles},
    {"transform.structured.scalarize", 17, "", legacy::handles},
    {"transform.structured.split_reduction", 17, "", legacy::handles},
    {"transform.structured.pack_greedily", 17, "", legacy::handles},
    {"transform.structured.pack", 17, "", legacy::handles},
    {"transform.structured.lower_pack", 17, "", legacy::handles},
    {"transform.structured.lower_unpack", 17, "", legacy::handles},
    {"transform.structured.rewrite_in_destination_passing_style", 17, "", legacy::handles},
    {"transform.structured.insert_slice_to_copy", 17, "", legacy::handles},
    {"transform.structured.convert_conv2d_to_img2col", 17, "", legacy::handles},
    {"transform.structured.hoist_pad", 17, "", legacy::handles},
    {"transform.structured.replace", 17, "", legacy::handles},
    {"transform.loop.pipeline", 17, "", legacy::handles},
    {"transform.loop.coalesce", 17, "", legacy::handles},
    {"transform.get_producer_of_operand", 17, "", legacy::handles},
    {"transform.get_consumers_of_result", 17, "", legacy::handles},
    {"transform.get_parent_op", 17, "", legacy::handles},
    {"transform.get_result", 17, "", legacy::handles},
    {"transform.bufferization.one_shot_bufferize", 17, "", legacy::handles},
    {"transform.bufferization.empty_tensor_to_alloc_tensor", 17, "", legacy::handles},
    {"transform.loop.forall_to_for", 17, "", legacy::handles},
    {"transform.structured.tile_using_forall", 17, "", legacy::handles},
    {"transform.structured.tile_reduction_using_for", 17, "", legacy::handles},
    {"transform.structured.tile_reduction_using_forall", 17, "", legacy::handles},
    {"transform.structured.gpu.map_copy_to_threads", 17, "", legacy::handles},
    {"transform.loop.unroll", 17, "", legacy::handlesAlone},
    {"transform.loop.unroll_and_jam", 17, "", legacy::handlesAlone},
    {"transform.bufferization.eliminate_empty_tensors", 17, "", legacy::handlesAlone},
    {"transform.structured.bufferize_to_allocation", 17, "", legacy::handlesAlone},
    {"transform.print", 17, "", legacy::handlesAlone},
    {"transform.merge_handles", 17, "", legacy::handlesAlone},
    {"transform.replicate", 17, "", legacy::handlesAlone},
    {"transform.named_sequence", 17, "", legacy::handlesAlone},
    {"transform.foreach", 17, "", legacy::handlesAlone},
    {"transform.alternatives", 17, "", legacy::handlesAlone},
    {"transform.yield", 17, "", legacy::handlesAlone},
    {"transform.with_pdl_patterns", 17, "", legacy::handlesAlone},
    {"transform.cast", 17, "", legacy::handlesAlone},
    {"transform.include", 17, "", legacy::handlesAlone},
    {"transform.structured.multitile_sizes", 17, "", legacy::handlesAlone},
    {"transform.param.constant", 17, "", legacy::handlesAlone},
};

llvm::ArrayRef<LegacyOp> legacyOps() { return kLegacyOps; }

const LegacyOp *findLegacyOp(StringRef name) {
  static const llvm::StringMap<const LegacyOp *> rows = [] {
    llvm::StringMap<const LegacyOp *> rows;
    for (const LegacyOp &row : kLegacyOps)
      rows[row.name] = &row;
    return rows;
  }();
  return rows.lookup(name);
}

bool isStdOp(StringRef word) {
  if (!word.contains('.') && findLegacyOp(word))
    return true;
  return llvm::StringSwitch<bool>(word)
      .Cases({"constant", "dim", "rank", "splat", "absi", "tensor_reshape", "sub_view", "memref_shape_cast"}, true)
      .Default(false);
}

/// The std ops whose name of today depends on the types in `text`.
static StringRef renamedByType(StringRef word, StringRef text) {
  text = text.ltrim();
  if (word == "constant") // of a function, or of a value
    return text.starts_with("@") ? "func.constant" : text.starts_with("unit") ? "" : "arith.constant";
  // The type of a splat may be a vector, which has no such op today. `dim %a, 1` with a constant index was written
  // until 2020.
  auto operands = splitOutsideBrackets(text.take_front(findOutsideBrackets(text, ":")), ',');
  if (word == "dim" && (operands.size() != 2 || !operands[1].starts_with("%")))
    return "";
  size_t colon = findOutsideBrackets(text, ":");
  StringRef type = colon == StringRef::npos ? "" : text.substr(colon + 1).ltrim();
  if (type.starts_with("tensor<"))
    return word == "dim" ? "tensor.dim" : word == "rank" ? "tensor.rank" : "tensor.splat";
  if (type.starts_with("memref<") && word != "splat")
    return word == "dim" ? "memref.dim" : "memref.rank";
  return "";
}

StringRef renamedOp(StringRef name, StringRef text) {
  StringRef word = name;
  word.consume_front("std.");
  if (word == "constant" || word == "dim" || word == "rank" || word == "splat")
    return renamedByType(word, text);
  const LegacyOp *row = findLegacyOp(word);
  return row && row->nameToday() != word ? row->nameToday() : StringRef();
}

} // namespace fuselage

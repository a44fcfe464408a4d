// Tiles of dispatches for workgroups and threads, on tensors. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_WORKGROUPS_PASSES
#define FUSELAGE_TRANSFORMS_WORKGROUPS_PASSES

include "mlir/Pass/PassBase.td"

def TileToWorkgroupsPass
    : InterfacePass<"fuselage-tile-to-workgroups", "mlir::FunctionOpInterface"> {
  let summary = "Tile the last op of each dispatch to a loop over workgroups";
  let description = [{
    Tiles are those for the module's device (`fuselage.device`, see `fuselage-set-device`); without one, for any GPU:

    In each dispatch, the op whose result leaves it is tiled to an `scf.forall` that is mapped to
    blocks: one iteration is what one workgroup computes. Tiles are divisors of the loop ranges near
    a target (32 x 64 for matmuls, about 1024 elements for elementwise ops, a few whole rows where a
    row is reduced), small enough that intermediates and promoted operands fit into workgroup
    memory. Where a prime range has no good divisor, the last tile is smaller, if no intermediate
    needs a static shape. An op becomes a loop of its own when its value is needed as a whole, or
    when computing it tile by tile would repeat a reduction or not fit.

    On GPUs with many registers, contractions have the largest tile, up to 128 x 128, that keeps the multiprocessors busy,
    and convolutions are such contractions, of a gathered image and the filter.

    Reductions that would leave much of the device idle are split. If a contraction has fewer tiles than the device has
    multiprocessors, and it is faster so, several workgroups share the K dimension of a tile (split-K); a second kernel adds
    up their partial results, always in the same order. Long reductions to few results are split among threads and
    workgroups in the same way. On GPUs with many registers, the threads of a workgroup share each row or column of a
    reduction or of a skinny contraction. A remark reports each split among workgroups.

    The choice is recorded as `fuselage.tiling` on the ops: `workgroup` tile sizes on the root, `reduction` steps for
    `fuselage-tile-reductions`, and `split` for split-K. Composite ops such as linalg.softmax are decomposed first, and
    tensor.pad becomes a linalg.generic.
  }];
  let options = [
    ListOption<"tileSizes", "tile-sizes", "int64_t",
               "Tile by loop of the last op, 0 for a whole loop; instead of the chosen sizes, "
               "in dispatches that have such loops">,
    Option<"maxWorkgroupBytes", "max-workgroup-bytes", "int64_t", /*default=*/"0",
           "Bytes that intermediates and promoted operands of a workgroup may take; 0: what the device has">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

def FuseProducersPass
    : InterfacePass<"fuselage-fuse-producers", "mlir::FunctionOpInterface"> {
  let summary = "Compute producers inside the loop over workgroups, tile by tile";
  let description = [{
    From the last op to the first: every producer that a loop over workgroups reads slices of is
    computed inside the loop, for just those slices. Equal slices are one; a cheap producer that is
    read in different tiles is computed more than once. A producer whose value is also used after the
    loop is returned by the loop, if its tiles partition the value; what cannot be fused
    gets a loop of its own, and a remark says so.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

def TileReductionsPass : Pass<"fuselage-tile-reductions"> {
  let summary = "Cut reductions into serial steps, and compute the inputs of a step inside of it";
  let description = [{
    Inside the loops over workgroups, the reduction loops of contractions (32 iterations a step),
    convolutions (16 channels) and very long reductions become serial `scf.for` loops, of the sizes
    that `fuselage-tile-to-workgroups` recorded. A row reduction stays whole: the threads of a
    workgroup share it. Everywhere else, ops with a `lowering_config` (or `compilation_info`) of IREE's
    compiler are cut as that says, also in executables of its dialects; and `tile-sizes` cuts all.
    Sizes of parallel loops are ignored.

    Elementwise producers of the inputs, such as a dequantization or a transposition, are computed in
    the loop, for just the tile of a step, at the cost of computing them again where others read them
    as well. Producers that reduce stay outside, and so does what initializes the accumulator: it
    would be reset in every step.
  }];
  let options = [
    ListOption<"tileSizes", "tile-sizes", "int64_t",
               "Step by loop of each op with a reduction, 0 for a whole loop; instead of the "
               "recorded ones">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def PromoteOperandsPass : Pass<"fuselage-promote-operands"> {
  let summary = "Copy the operand tiles of contractions to workgroup memory";
  let description = [{
    Every thread of a workgroup reads the same rows and columns of a matmul's operands: the tiles
    become `bufferization.alloc_tensor` copies in `#gpu.address_space<workgroup>`. Other uses of the
    operands stay as they are. `fuselage-swap-alloc-tensor` then removes the copies of what is computed
    in the loop. Contractions are those in loops over workgroups, those in kernels that read tiles of
    their bindings, and those that carry tile sizes. An operand is left alone, with a remark, when its
    tile has no static shape, does not fit, or is read only once. On GPUs whose threads keep the results of contractions in
    registers, these results take no memory.
  }];
  let options = [
    Option<"maxWorkgroupBytes", "max-workgroup-bytes", "int64_t", /*default=*/"0",
           "Bytes that intermediates and promoted operands of a workgroup may take; 0: what the device has">,
  ];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect", "mlir::gpu::GPUDialect",
                           "mlir::tensor::TensorDialect"];
}

def SwapAllocTensorPass : Pass<"fuselage-swap-alloc-tensor"> {
  let summary = "Compute tiles right where they would be copied to";
  let description = [{
    If `bufferization.alloc_tensor` copies the result of a linalg op that overwrites its destination without
    reading it, the allocation becomes the destination and the copy goes away: dequantized weights are
    written to workgroup memory, with no other buffer. A remark says why another copy stays.
  }];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect", "mlir::tensor::TensorDialect"];
}

def RequestSizesPass : Pass<"fuselage-request-sizes", "mlir::ModuleOp"> {
  let summary = "Request the tile sizes of one dispatch, in place of those chosen for the device";
  let description = [{
    Puts `fuselage.tiling` on the op that shapes a dispatch's kernel, such as the sizes that `fuselage tune` found.
    `fuselage-tile-to-workgroups` uses them as far as the tiles are possible. If the op has other loops than `loops`, it
    gets no sizes, and a remark says so. Of a
    `flow.attention`, `workgroup` is the number of queries of a tile and `reduction` that of keys.
  }];
  let options = [
    Option<"dispatch", "dispatch", "unsigned", /*default=*/"0", "Number of the dispatch, from 0, in the order of the text">,
    ListOption<"loops", "loops", "int64_t", "Ranges of the op's loops">,
    ListOption<"workgroup", "workgroup", "int64_t", "Tile of a workgroup by loop; 0 for a whole loop">,
    ListOption<"reduction", "reduction", "int64_t", "Step of a reduction by loop; 0 for a whole loop">,
    ListOption<"split", "split", "int64_t", "Iterations of a reduction loop per workgroup (split-K), by loop; 0 for all">,
  ];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

#endif // FUSELAGE_TRANSFORMS_WORKGROUPS_PASSES

// Tiles of dispatches for workgroups and threads, on tensors. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_WORKGROUPS_PASSES
#define FUSELAGE_TRANSFORMS_WORKGROUPS_PASSES

include "mlir/Pass/PassBase.td"

def TileToWorkgroupsPass
    : InterfacePass<"fuselage-tile-to-workgroups", "mlir::FunctionOpInterface"> {
  let summary = "Tile the last op of each dispatch to a loop over workgroups";
  let description = [{
    Tiles are chosen for the module's device (`fuselage.device`, see `fuselage-set-device`); without one, for any GPU.

    In each dispatch, the op that computes the result is tiled to an `scf.forall` that is mapped to
    blocks: each iteration is one workgroup. Tiles are divisors of the loop ranges near
    a target (32 x 64 for matmuls, about 1024 elements for elementwise ops, a few whole rows if a
    row is reduced), small enough that intermediates and promoted operands fit into workgroup
    memory. If a prime range has no good divisor, the last tile is smaller, unless an intermediate
    needs a static shape. An op gets a separate loop if its value is needed as a whole, or
    if computing it tile by tile would repeat a reduction or exceed workgroup memory.

    On GPUs with many registers, contractions get the largest tile, up to 128 x 128, that keeps the multiprocessors busy,
    and convolutions become contractions of a gathered image and the filter.

    Reductions that would leave much of the device idle are split. If a contraction has fewer tiles than the device has
    multiprocessors, and splitting is faster, several workgroups share the K dimension of a tile (split-K); a second kernel
    adds their partial results, always in the same order. Long reductions to few results are split among threads and
    workgroups in the same way. On GPUs with many registers, the threads of a workgroup share each row or column of a
    reduction or of a skinny contraction. A remark reports each split among workgroups.

    The choice is recorded as `fuselage.tiling` on the ops: `workgroup` tile sizes on the root, `reduction` steps for
    `fuselage-tile-reductions`, and `split` for split-K. Composite ops such as linalg.softmax are decomposed first, and
    tensor.pad becomes a linalg.generic.
  }];
  let options = [
    ListOption<"tileSizes", "tile-sizes", "int64_t",
               "Tile size per loop of the last op, 0 for a whole loop; replaces the chosen sizes "
               "in dispatches with these loops">,
    Option<"maxWorkgroupBytes", "max-workgroup-bytes", "int64_t", /*default=*/"0",
           "Bytes that intermediates and promoted operands of a workgroup may take; 0: all that the device has">,
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
    From the last op to the first: if a loop over workgroups reads slices of a producer, these slices are
    computed inside the loop. Equal slices are computed once; a cheap producer that is
    read in different tiles is recomputed. If the producer's value is also used after the loop, the
    loop returns it, if its tiles partition the value. A producer that cannot be fused gets a
    separate loop, and a remark says so.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

def TileReductionsPass : Pass<"fuselage-tile-reductions"> {
  let summary = "Tile reductions to serial loops, and fuse their input producers";
  let description = [{
    Inside the loops over workgroups, the reduction loops of contractions (32 iterations per step),
    convolutions (16 channels) and very long reductions become serial `scf.for` loops, with the sizes
    that `fuselage-tile-to-workgroups` recorded. A row reduction stays whole: the threads of a
    workgroup share it. Everywhere else, ops with a `lowering_config` (or `compilation_info`) of IREE's
    compiler are tiled accordingly, also in executables of its dialects; `tile-sizes` tiles all ops.
    Sizes of parallel loops are ignored.

    Elementwise producers of the inputs, such as a dequantization or a transpose, are computed in
    the loop, only for the tile of a step; if they have other users, they are computed again for
    those. Reductions stay outside, and so does the initialization of the accumulator, which would
    otherwise be reset in every step.
  }];
  let options = [
    ListOption<"tileSizes", "tile-sizes", "int64_t",
               "Step per loop of each op with a reduction, 0 for a whole loop; replaces the "
               "recorded steps">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def PromoteOperandsPass : Pass<"fuselage-promote-operands"> {
  let summary = "Copy the operand tiles of contractions to workgroup memory";
  let description = [{
    All threads of a workgroup read the same rows and columns of a matmul's operands, so their tiles
    become `bufferization.alloc_tensor` copies in `#gpu.address_space<workgroup>`. Other uses of the
    operands are not changed. `fuselage-swap-alloc-tensor` then removes the copies of values computed
    in the loop. The pass applies to contractions in loops over workgroups, in kernels that read tiles of
    their bindings, and with tile sizes attached. An operand is not promoted if its tile has no static
    shape, does not fit, or is read only once; a remark says so. On GPUs whose threads keep the results
    of contractions in registers, these results take no memory.
  }];
  let options = [
    Option<"maxWorkgroupBytes", "max-workgroup-bytes", "int64_t", /*default=*/"0",
           "Bytes that intermediates and promoted operands of a workgroup may take; 0: all that the device has">,
  ];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect", "mlir::gpu::GPUDialect",
                           "mlir::tensor::TensorDialect"];
}

def SwapAllocTensorPass : Pass<"fuselage-swap-alloc-tensor"> {
  let summary = "Compute tiles directly in the destination of their copy";
  let description = [{
    If `bufferization.alloc_tensor` copies the result of a linalg op that overwrites its destination without
    reading it, the allocation becomes the destination and the copy is removed: dequantized weights are
    written to workgroup memory, with no other buffer. If a copy stays, a remark says why.
  }];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect", "mlir::tensor::TensorDialect"];
}

def RequestSizesPass : Pass<"fuselage-request-sizes", "mlir::ModuleOp"> {
  let summary = "Request tile sizes for one dispatch, instead of those chosen for the device";
  let description = [{
    Attaches sizes, such as those found by `fuselage tune`, as `fuselage.tiling` to the op that shapes a dispatch's kernel.
    `fuselage-tile-to-workgroups` uses them if the tiles are possible. If the op's loops differ from `loops`, it
    gets no sizes, and a remark says so. For a `flow.attention`, `workgroup` is the number of queries of a tile and
    `reduction` the number of keys.
  }];
  let options = [
    Option<"dispatch", "dispatch", "unsigned", /*default=*/"0", "Number of the dispatch, from 0, in the order of the text">,
    ListOption<"loops", "loops", "int64_t", "Ranges of the op's loops">,
    ListOption<"workgroup", "workgroup", "int64_t", "Tile of a workgroup per loop; 0 for a whole loop">,
    ListOption<"reduction", "reduction", "int64_t", "Step of a reduction per loop; 0 for a whole loop">,
    ListOption<"split", "split", "int64_t", "Iterations per workgroup of each reduction loop (split-K); 0 for all">,
  ];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

#endif // FUSELAGE_TRANSFORMS_WORKGROUPS_PASSES

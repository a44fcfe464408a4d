// Tiling, producer fusion and promotion, on tensors.
#ifndef FUSELAGE_TRANSFORMS_TILINGPASSES
#define FUSELAGE_TRANSFORMS_TILINGPASSES

include "mlir/Pass/PassBase.td"

def TileToWorkgroupsPass
    : InterfacePass<"fuselage-tile-to-workgroups", "mlir::FunctionOpInterface"> {
  let summary = "Tile the last op of each dispatch to a loop over workgroups";
  let description = [{
    In each dispatch, the op whose result leaves it is tiled to an `scf.forall` that is mapped to
    blocks: one iteration is what one workgroup computes. Tiles are divisors of the loop ranges near
    a target (32 x 64 for matmuls, about 1024 elements for elementwise ops, a few whole rows where a
    row is reduced), small enough that intermediates and promoted operands fit into workgroup
    memory. Where a prime range has no good divisor, the last tile is smaller, if no intermediate
    needs a static shape. An op becomes a loop of its own when its value is needed as a whole, or
    when computing it tile by tile would repeat a reduction or not fit.

    The choice is recorded as `fuselage.tiling` on the ops: `workgroup` tile sizes on the root,
    `reduction` steps for `fuselage-tile-reductions`. Composite ops such as linalg.softmax are taken
    apart first, and tensor.pad becomes a linalg.generic.
  }];
  let options = [
    ListOption<"tileSizes", "tile-sizes", "int64_t",
               "Tile by loop of the last op, 0 for a whole loop; instead of the policy's choice, "
               "in dispatches that have such loops">,
    Option<"maxWorkgroupBytes", "max-workgroup-bytes", "int64_t", /*default=*/"31744",
           "Bytes that intermediates and promoted operands of a workgroup may take">,
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
    read in different tiles is computed more than once. A producer whose value is used behind the
    loop as well is returned by the loop, if its tiles partition the value; what cannot be fused
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
    that `fuselage-tile-to-workgroups` recorded. A row maximum or sum stays whole: the threads of a
    workgroup share it. Everywhere else, ops with a `lowering_config` (or `compilation_info`) of IREE's
    compiler are cut as that says, also in executables of its dialects; and `tile-sizes` cuts all.
    Sizes of parallel loops are passed over.

    Elementwise producers of the inputs, such as a dequantization or a transposition, are computed in
    the loop, for just the tile of a step, at the cost of computing them again where others read them
    as well. Producers that reduce stay outside. What initialises the accumulator never moves: it
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
    tile has no static shape, does not fit, or is read only once.
  }];
  let options = [
    Option<"maxWorkgroupBytes", "max-workgroup-bytes", "int64_t", /*default=*/"31744",
           "Bytes that intermediates and promoted operands of a workgroup may take">,
  ];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect", "mlir::gpu::GPUDialect",
                           "mlir::tensor::TensorDialect"];
}

def SwapAllocTensorPass : Pass<"fuselage-swap-alloc-tensor"> {
  let summary = "Compute tiles right where they would be copied to";
  let description = [{
    Where `bufferization.alloc_tensor` copies what a linalg op computes, and that op overwrites its
    destination without reading it, the allocation becomes the destination and the copy goes away:
    dequantized weights, say, are written to workgroup memory, and no buffer holds them before. A
    remark says why another copy stays.
  }];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect", "mlir::tensor::TensorDialect"];
}

def TileAndFusePass
    : InterfacePass<"fuselage-tile-and-fuse", "mlir::FunctionOpInterface"> {
  let summary = "Tile one op, and compute what feeds and reads it in the same loops";
  let description = [{
    Tiles the anchor, then moves into its loops, tile by tile, the ops that read its result and those
    that compute its operands. Unlike MLIR's own, this fusion does not stop at ops that cannot be tiled
    themselves: it goes on through `tensor.extract_slice` (a slice of a slice is one slice),
    `expand_shape` and `collapse_shape`, `cast`, `pad` and `concat`, and through every op that has
    Fuselage's `FusableOpInterface`. A transpose, a slice of it and a transpose of that end in one loop.

    What a reshape maps onto a range of rows can be fused: tiles that are multiples of the collapsed
    inner dimensions, or that lie within one row. What stays outside gets a remark with a code and the
    evidence: `GROUP_SPLIT_UNEVENLY` (part of a row), `OFFSET_NOT_MULTIPLE`, `INNER_DIMENSION_CUT`,
    `DYNAMIC_GROUP`, `STRIDED_TILE` (a strided slice of something that must be computed; see
    `cover-strided`), `CONCAT_STRADDLED`, `PADDING_NOT_CONSTANT`, `ACCUMULATOR_RESET` (what initialises a
    reduction never moves into its loop), `PARTIAL_RESULT`, `REDUCTION_CUT`, `LOOP_INVARIANT` (each
    iteration would compute the same), and others. A tile that may lie in the padding altogether is
    guarded by `scf.if`; so is one that lies in one of several operands of a concatenation.
  }];
  let options = [
    Option<"anchor", "anchor", "std::string", /*default=*/"\"\"",
           "The op to tile: a name (the last such op of a function), or an attribute that marks it "
           "(all such ops); by default the last op that can be tiled">,
    ListOption<"tileSizes", "tile-sizes", "int64_t", "Tile by loop of the anchor, 0 for a whole loop">,
    ListOption<"interchange", "interchange", "int64_t", "Order of the loops, outermost first">,
    Option<"loop", "loop", "std::string", /*default=*/"\"for\"",
           "for: scf.for, which can cut reductions; forall: one scf.forall">,
    Option<"fuseProducers", "fuse-producers", "bool", /*default=*/"true",
           "Take in what computes the operands">,
    Option<"fuseConsumers", "fuse-consumers", "bool", /*default=*/"true", "Take in what reads the result">,
    Option<"shared", "shared", "std::string", /*default=*/"\"recompute\"",
           "A producer that is used elsewhere as well: recompute it in the loops, yield it from them if "
           "its tiles partition it, or keep it outside">,
    Option<"coverStrided", "cover-strided", "bool", /*default=*/"false",
           "Fuse along slices with strides, which computes the elements between as well">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

def RewriteDestructiveUpdatesPass : Pass<"fuselage-rewrite-destructive-updates"> {
  let summary = "Write tiles that loops insert into a tensor to memory one by one";
  let description = [{
    Tiling on tensors leaves `scf.for` nests that carry the whole result from iteration to iteration and
    insert one tile each time. Where the result is stored by a `dispatch.tensor.store` (of `flow` or
    `iree_tensor_ext`, or `hal.interface.store.tensor` of 2020) or by
    `bufferization.materialize_in_destination` to a buffer, each tile is stored by itself instead, the
    loops carry nothing any more, and what they read of the tensor or of whole loads is loaded tile by
    tile. What the tiles leave out is stored in front of the loops. Loops that start at a workgroup's
    index count as distributed: other workgroups write the other tiles.

    Nests whose result stays a tensor keep it, but each tile is materialized in its place by
    `bufferization.materialize_in_destination`, so that bufferization makes no copy of the whole.

    An update that cannot be done in place stays, and a remark says why: PING_PONG, READ_BEHIND_UPDATE,
    INTERLEAVED_ALIAS and so on.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::bufferization::BufferizationDialect",
                           "mlir::linalg::LinalgDialect", "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_TILINGPASSES

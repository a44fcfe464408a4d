// The passes of Fuselage. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_PASSES
#define FUSELAGE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

//===-- Programs of other compilers ---------------------------------------===//

def NormalizeForeignPass : Pass<"fuselage-normalize-foreign", "mlir::ModuleOp"> {
  let summary = "Write functions of other compilers' dialects as functions that every pass knows";
  let description = [{
    `util.func` becomes `func.func`, with its `util.return`, and `util.call` of such a function becomes
    `func.call`. Where a function that nothing in the module calls imports an argument as a tensor
    (`hal.tensor.import`) or exports a result (`hal.tensor.export`), the tensor itself becomes the
    argument or result; other imports and exports that are mere views become
    `builtin.unrealized_conversion_cast`. Those that wait for a fence or have dynamic dimensions stay.
    Ops on tensors of 2020 whose types alone fail today (`subtensor_insert` with its sizes as values,
    `linalg.generic` without `outs`) become today's. Dispatches, executables and kernels stay as they are.
  }];
  let dependentDialects = ["mlir::func::FuncDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

//===-- Dispatch formation ------------------------------------------------===//

def FormDispatchesPass
    : InterfacePass<"fuselage-form-dispatches", "mlir::FunctionOpInterface"> {
  let summary = "Group ops on tensors into flow.dispatch.region ops";
  let description = [{
    Finds root ops (contractions, convolutions, reductions), adds to each the elementwise consumers
    whose iteration domain tiles with the root's result, clones cheap producers in (fill, empty,
    broadcast, splat constants), and wraps every group into a `flow.dispatch.region`. Compute ops
    that are left over form dispatches of their own. Reshapes, slices and constants stay outside.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"aggressive\"",
           "What to fuse: conservative, aggressive or none; changes to one follow in braces, as in "
           "conservative{multi-use=true}">,
    Option<"fuseConsumers", "fuse-consumers", "bool", /*default=*/"true",
           "Take elementwise consumers into the dispatch of their root">,
    Option<"cloneProducers", "clone-producers", "bool", /*default=*/"true",
           "Clone fills, empties, broadcasts and splat constants into their consumers' dispatches">,
    Option<"wrapLeftovers", "wrap-leftovers", "bool", /*default=*/"true",
           "Give compute ops that belong to no root a dispatch of their own">,
  ];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect"];
}

def FuseWithinDispatchesPass : Pass<"fuselage-fuse-within-dispatches"> {
  let summary = "Merge the elementwise ops of a dispatch into their consumers";
  let description = [{
    What `linalg-fuse-elementwise-ops` does, with one exception: an op that unpacks narrow integers for a
    contraction (dequantization) stays an op. In the payload of the contraction it would unpack an element
    again for every product; by itself it is fused into the loop over the reduction, and unpacks each tile
    once, into workgroup memory.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect"];
}

def ExplainFusionPass : Pass<"fuselage-explain-fusion", "mlir::ModuleOp"> {
  let summary = "Say of every value between two ops whether they are fused, and why not";
  let description = [{
    Plans dispatches as `fuselage-form-dispatches` would, changes nothing, and emits a remark on every
    op that reads a value: the verdict (FUSED_INTO_OP, SAME_DISPATCH, CLONED or SEPARATE), and for
    SEPARATE the reason, its evidence, the transforms that may unlock the fusion, and the bytes through
    memory that it would save. Where dispatches are formed already, these are judged. With remarks
    enabled (`--remarks-filter`, `--remark-format=yaml`), they go there, under the category `fusion`.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"aggressive\"",
           "What is to be fused: conservative, aggressive or none; changes to one follow in braces">,
    Option<"missedOnly", "missed-only", "bool", /*default=*/"false",
           "Say nothing of what is fused">,
    Option<"gbps", "gbps", "double", /*default=*/"500.0",
           "Bandwidth of the memory in GB/s, for the estimate of time">,
  ];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

def OutlineDispatchesPass : Pass<"fuselage-outline-dispatches", "mlir::ModuleOp"> {
  let summary = "Move every flow.dispatch.region into a function of its own";
  let description = [{
    Each region becomes a private `func.func @<function>_dispatch_<i>_<name>` with the attribute
    `fuselage.dispatch = i`, and a `func.call` in its place. Values that the region uses become
    arguments (tensors first); small constants and `tensor.empty` ops are cloned inside instead.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

//===-- Unlocking fusion, on tensors --------------------------------------===//

class UnlockPass<string flag> : InterfacePass<flag, "mlir::FunctionOpInterface"> {
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def FoldUnitDimsPass : UnlockPass<"fuselage-fold-unit-dims"> {
  let summary = "Drop dimensions of size 1, and maps such as (0, d1, d2) with them";
  let description = [{
    Exporters carry a batch of 1 through everything, and read dimensions that may have to be broadcast
    as element 0. Such maps are no permutations, so that ops on both sides of them do not fuse. The ops
    lose their loops over one iteration; their operands are reshaped, which moves no data. Copies
    that remain without a purpose vanish. Named ops with such dimensions are generalized, and
    contractions get a name again. Convolutions keep their dimensions. Ops inside dispatches stay as
    they are, here and in all passes that unlock fusion.
  }];
}

def BatchMatmulToMatmulPass : UnlockPass<"fuselage-batch-matmul-to-matmul"> {
  let summary = "Turn products of a batch of one into products without a batch";
  let description = [{
    `linalg.batch_matmul` of batch 1 becomes `linalg.matmul` between reshapes, and likewise
    `linalg.batch_matvec` and `linalg.batch_vecmat`.
  }];
}

def GeneralizePass : UnlockPass<"fuselage-generalize"> {
  let summary = "Write named linalg ops as linalg.generic";
  let description = [{
    A named op fixes the order of its dimensions and its payload; as a linalg.generic it can take
    transposes, broadcasts and elementwise ops in. Fills keep their name.
  }];
}

def SpecializePass : UnlockPass<"fuselage-specialize"> {
  let summary = "Give linalg.generic ops the names of what they compute";
  let description = [{
    The way back from `fuselage-generalize`: products become `linalg.matmul` or
    `linalg.batch_matmul`, with `indexing_maps` where operands are read transposed; single elementwise
    ops, copies and transposes get their names. What has no name stays as it is.
  }];
}

def AbsorbTransposePass : UnlockPass<"fuselage-absorb-transpose"> {
  let summary = "Let contractions read and write through the transposes around them";
  let description = [{
    A transpose that only feeds a contraction, such as that of a weight, becomes the operand's
    indexing map; one that only reads a contraction becomes the result's. Nothing is copied then.
    A named product stays one, with `indexing_maps`.
  }];
  let options = [
    Option<"inputs", "inputs", "bool", /*default=*/"true", "Absorb transposes of operands">,
    Option<"outputs", "outputs", "bool", /*default=*/"true", "Absorb transposes of results">,
  ];
}

def AbsorbBroadcastPass : UnlockPass<"fuselage-absorb-broadcast"> {
  let summary = "Let contractions read the originals of broadcast operands";
  let description = [{
    A copy that repeats its source along new dimensions, such as a weight for each sentence of a batch,
    is left out: the contraction's indexing map just does not have those dimensions.
  }];
}

def BubbleReshapeUpPass : UnlockPass<"fuselage-bubble-reshape-up"> {
  let summary = "Move reshapes up, past the ops that compute their source";
  let description = [{
    A reshape between two ops keeps them in different dispatches. `tensor.expand_shape` moves in front
    of elementwise ops, transposes, contractions and reductions, which work on more dimensions then:
    a product whose columns are split into heads gets a loop over heads. Reshapes at arguments and
    results of the function cost nothing and stay.
  }];
  let options = [
    Option<"byCollapsing", "by-collapsing", "bool", /*default=*/"false",
           "Move tensor.collapse_shape instead; the ops lose loops, and named ones their names">,
  ];
}

def BubbleReshapeDownPass : UnlockPass<"fuselage-bubble-reshape-down"> {
  let summary = "Move reshapes down, past the ops that read their result";
  let description = [{
    The counterpart of `fuselage-bubble-reshape-up`: `tensor.collapse_shape` moves behind the ops that
    read it, which work on more dimensions then.
  }];
  let options = [
    Option<"byCollapsing", "by-collapsing", "bool", /*default=*/"false",
           "Move tensor.expand_shape instead; the ops lose loops, and named ones their names">,
  ];
}

def InterchangeReductionPass : UnlockPass<"fuselage-interchange-reduction"> {
  let summary = "Make reductions the innermost loops";
  let description = [{
    Puts the parallel loops of an op in the order in which its result is written, and its reductions
    behind them. Consumers tile with the result's dimensions, which are the outer loops then.
  }];
}

def FuseElementwisePass : UnlockPass<"fuselage-fuse-elementwise"> {
  let summary = "Merge elementwise producers into their only consumer";
  let description = [{
    Scale, subtract and exp become one op with one payload. Transposes and broadcasts count as
    elementwise. Plain reductions take producers in as well, contractions do not: they would compute
    the producer once for each element that they combine it with. Where a contraction feeds the
    producer, it stays free to share that one's dispatch.
  }];
  let options = [
    Option<"maxOperands", "max-operands", "unsigned", /*default=*/"16",
           "Operands that a merged op may have">,
  ];
}

def FuseMultiUsePass : UnlockPass<"fuselage-fuse-multi-use"> {
  let summary = "Merge elementwise producers into all of several elementwise consumers";
  let description = [{
    Where all users of an elementwise op are elementwise too, its value need not be stored: each user
    computes it for itself if that takes a few additions and multiplications; else the users become
    one op with several results, which computes it once.
  }];
  let options = [
    Option<"maxDuplicated", "max-duplicated", "unsigned", /*default=*/"4",
           "Operations of a payload that may be repeated">,
    Option<"maxOperands", "max-operands", "unsigned", /*default=*/"16",
           "Operands that a merged op may have">,
  ];
}

def FuseEpiloguePass : UnlockPass<"fuselage-fuse-epilogue"> {
  let summary = "Let bias, activation and output transpose join the dispatch of their contraction";
  let description = [{
    Moves the reshapes away that stand between a contraction (or convolution, or reduction) and the
    elementwise ops and transposes behind it: splits move in front of the contraction, merges behind
    the last of the ops. What is left is a chain that dispatch formation takes as a whole.
  }];
}

def FuseReductionPass : UnlockPass<"fuselage-fuse-reduction"> {
  let summary = "Put reductions over the same rows into one dispatch";
  let description = [{
    The maximum, the exponentials, their sum and the division of a softmax all work row by row, and so
    do the mean and the variance of a normalization. Chains of at least two reductions, with the
    elementwise ops between, behind and (if nobody else reads them) in front of them, become one
    `flow.dispatch.region`: rows that a workgroup has at hand are not stored in between.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def FuseHorizontalPass : UnlockPass<"fuselage-fuse-horizontal"> {
  let summary = "Merge contractions that read the same operand";
  let description = [{
    The products that make queries, keys and values of one input become one linalg.generic with three
    results: the input is read once, and there is one dispatch. The elementwise ops that follow, each
    for its result, become one as well. The ops must have loops of the same ranges.
  }];
  let options = [
    Option<"maxOperands", "max-operands", "unsigned", /*default=*/"16",
           "Operands that a merged op may have">,
  ];
}

def FuseAttentionPass : UnlockPass<"fuselage-fuse-attention"> {
  let summary = "Compute attention in one dispatch that never stores the scores";
  let description = [{
    Finds a product of queries and keys, any elementwise ops on it (scale, mask), the softmax along
    the keys, and the product with the values; as `linalg.softmax` or as the ops that it stands for,
    merged or not. They become one `flow.dispatch.region`: a loop over workgroups, one tile of
    queries each, around a loop over tiles of keys, which carries the maximum and the sum of each row
    (online softmax). The result differs from the original by rounding. A remark says why something
    that looks like attention is left alone.
  }];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", /*default=*/"32", "Rows of one workgroup">,
    Option<"keyTile", "key-tile", "int64_t", /*default=*/"32", "Keys of one step">,
  ];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::affine::AffineDialect",
                           "mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

//===-- Tiling, on tensors ------------------------------------------------===//

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

//===-- Mapping to a GPU --------------------------------------------------===//

def PrepareDispatchesPass : Pass<"fuselage-prepare-dispatches", "mlir::func::FuncOp"> {
  let summary = "Say which buffers of a dispatch may be written, and take composite ops apart";
  let description = [{
    Marks the arguments of dispatches as read-only (`bufferization.writable = false`): a kernel writes
    its results and nothing else, so that it can run again on the same inputs. Composite ops
    (softmax, concat, pack, unpack, pad) become the structured ops that they stand for.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::bufferization::BufferizationDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def PrepareBufferizationPass : Pass<"fuselage-prepare-bufferization", "mlir::func::FuncOp"> {
  let summary = "Spare bufferization what it is slow at, or crashes on";
  let description = [{
    One-Shot Bufferize compares every read with every write of what may share a buffer. Where thousands
    of ops have one `tensor.empty` as their destination, each `max-shared` of them get one of their own,
    in front of the first of them. What is in an empty tensor is undefined, so nothing else changes.

    In slices, strides are dropped of dimensions of which there is one element only: a view that keeps
    such a dimension and drops another one could not tell the two apart.
  }];
  let options = [
    Option<"maxShared", "max-shared", "int64_t", /*default=*/"64",
           "How many ops one tensor.empty may serve">,
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

def SetKernelAbiPass : Pass<"fuselage-set-kernel-abi", "mlir::ModuleOp"> {
  let summary = "Fix the interface of SPIR-V kernels";
  let description = [{
    Every kernel gets its workgroup size as its SPIR-V execution mode, and parameter i becomes the
    storage buffer at binding i of descriptor set 0.
  }];
  let dependentDialects = ["mlir::spirv::SPIRVDialect"];
}

def MapToGpuPass : Pass<"fuselage-map-to-gpu", "mlir::func::FuncOp"> {
  let summary = "Turn loops over workgroups into kernels whose threads share a tile";
  let description = [{
    A bufferized `scf.forall` with a `#gpu.block` mapping becomes a `gpu.launch`: its iterations are
    the grid, with the innermost loop on x. The memory of a tile becomes workgroup memory as far as
    that reaches; what does not fit goes to a buffer in global memory, a slice a workgroup, with a
    remark. Every op on the tile is shared among the threads: elements are dealt out one after the
    other, so that neighbouring threads touch neighbouring memory; ops with reductions give each
    thread a small tile of results (4 by 4 where operands are reused), which stays in registers over
    the whole reduction, and read four neighbouring elements of workgroup memory at once. A
    `gpu.barrier` stands wherever an op touches what other threads have
    written, or writes what they have read, since the last one.
  }];
  let options = [
    Option<"maxThreads", "max-threads", "int64_t", /*default=*/"256", "Threads of a workgroup at most">,
    Option<"maxWorkgroupBytes", "max-workgroup-bytes", "int64_t", /*default=*/"32768",
           "Bytes of workgroup memory">,
    Option<"padBytes", "pad-bytes", "int64_t", /*default=*/"0",
           "Bytes that are left free behind each row in workgroup memory, so that the rows' elements "
           "do not share a bank: 16 on most devices">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def AttributeWorkgroupMemoryPass : Pass<"fuselage-attribute-workgroup-memory", "mlir::ModuleOp"> {
  let summary = "Turn workgroup allocations of kernels into aligned attributions";
  let description = [{
    An allocation that reaches the conversion to NVVM would call `malloc` on the device, and the
    assembler would accept it. A workgroup attribution becomes a `.shared` variable instead, here one
    aligned to 16 bytes, so that four floats can be loaded at once.
  }];
  let dependentDialects = ["mlir::gpu::GPUDialect"];
}

def LaunchPlainKernelsPass
    : Pass<"fuselage-launch-plain-kernels", "mlir::func::FuncOp"> {
  let summary = "Give every op that is in no kernel yet a kernel of its own";
  let description = [{
    Each linalg op, copy and parallel loop at the top level of a dispatch becomes a `gpu.launch`: the
    parallel iterations are laid out in one line over workgroups and threads, with a bounds check
    where they do not fill the last workgroup; every thread runs the reduction loops of its element
    serially, with the result in registers. Scalar code in between runs in a kernel of one thread,
    and its results reach later kernels through buffers of one element. Constants and index
    arithmetic are repeated in every kernel, so that a kernel sees nothing but buffers and scalar
    arguments. This works for any op and any shape, and is slow: nothing is reused between threads.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"128", "Threads of a workgroup">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect"];
}

def FlattenKernelBuffersPass : Pass<"fuselage-flatten-kernel-buffers", "mlir::ModuleOp"> {
  let summary = "Make kernel parameters one-dimensional buffers of addressable types";
  let description = [{
    Every load and store of a kernel gets one linear index, computed from the strides and offsets of
    the views it goes through, and element types take the form they have in memory: i1 a byte, i4
    two to a byte, bf16 its bits, index as wide as the target's indices. Stores of packed elements that several threads share
    a word of are atomic. Scalar arguments become buffers of one element. The launches see the new
    types through casts. An allocation that is not workgroup memory is an error: it would call the
    device's allocator.
  }];
  let options = [
    Option<"indexBits", "index-bits", "unsigned", /*default=*/"64", "Bits of an index in memory">,
    Option<"vectors", "vectors", "bool", /*default=*/"true",
           "Keep loads and stores of vectors; SPIR-V cannot read a buffer as another type than its own">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::memref::MemRefDialect",
                           "mlir::vector::VectorDialect"];
}

def LegalizeKernelTypesPass : Pass<"fuselage-legalize-kernel-types", "mlir::ModuleOp"> {
  let summary = "Compute bf16 in f32 and odd integer widths in whole bytes";
  let description = [{
    bf16 values live in f32 registers and are rounded to the nearest bf16 number after every
    operation; integers of 2 to 63 bits live in the next wider register with their upper bits
    cleared, and are sign-extended where an operation reads the sign. The results are those of the
    narrow types, bit for bit.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def LegalizeKernelMathPass : Pass<"fuselage-legalize-kernel-math", "mlir::ModuleOp"> {
  let summary = "Express math functions in what the target computes by itself";
  let description = [{
    Neither target has all functions: GLSL's extended instructions know no `erf`, and PTX without a
    device library knows little more than `sqrt`. The others are expanded or approximated by
    polynomials, to within a few units in the last place of f32. Functions of f16 and f64 numbers
    are computed in f32.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"spirv\"", "spirv or nvvm">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::vector::VectorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_PASSES

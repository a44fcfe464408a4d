// What lets ops share a dispatch that could not, on tensors. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_UNLOCK_PASSES
#define FUSELAGE_TRANSFORMS_UNLOCK_PASSES

include "mlir/Pass/PassBase.td"

class UnlockPass<string flag> : InterfacePass<flag, "mlir::FunctionOpInterface"> {
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def DropUnusedResultsPass : UnlockPass<"fuselage-drop-unused-results"> {
  let summary = "Drop unused results of ops";
  let description = [{
    Exporters write the maximum of a softmax together with its position, but only the maximum is
    used. This op is not a plain reduction, as attention and normalization need it. Results of an
    op stay if they are used, or if other results of the op depend on them.
  }];
}

def SplitReductionPass : UnlockPass<"fuselage-split-reduction"> {
  let summary = "Move the elementwise results of a reduction to separate ops";
  let description = [{
    An op with several results may reduce one and write another element by element: the exponentials of a
    softmax together with their sum. Or it overwrites one with the same value in each step, such as the number
    of elements in an average pooling. Split into an elementwise op and a plain reduction, they can share
    a dispatch with other ops.
  }];
}

def ResolveShapesPass : UnlockPass<"fuselage-resolve-shapes"> {
  let summary = "Rewrite dynamic reshapes and shapes with known sizes";
  let description = [{
    Exporters of dynamic shapes write `tensor.reshape` with a tensor of sizes, which does not show how
    elements move. If the known sizes line up, and all but one of the others are known to be equal, it becomes a
    `tensor.collapse_shape` or `tensor.expand_shape`, since the number of elements does not change. Sizes of
    computed tensors are derived from the inputs of the computation, so that a `tensor.dim` does not use the data.
  }];
}

def FoldUnitDimsPass : UnlockPass<"fuselage-fold-unit-dims"> {
  let summary = "Drop dimensions of size 1, and with them maps such as (0, d1, d2)";
  let description = [{
    Exporters carry a batch of 1 through the whole model, and read dimensions that may have to be broadcast
    at index 0. These maps are not permutations, so the ops on both sides do not fuse. The pass removes
    loops of one iteration; operands are reshaped, which moves no data. Copies that become useless are
    removed. Named ops with these dimensions are generalized, and contractions are named again.
    Convolutions keep their dimensions. Ops inside dispatches are not changed, here and in all passes
    that unlock fusion.
  }];
}

def BatchMatmulToMatmulPass : UnlockPass<"fuselage-batch-matmul-to-matmul"> {
  let summary = "Turn batch matmuls with one batch into matmuls";
  let description = [{
    `linalg.batch_matmul` of batch 1 becomes `linalg.matmul` between reshapes, and likewise
    `linalg.batch_matvec` and `linalg.batch_vecmat`.
  }];
}

def GeneralizePass : UnlockPass<"fuselage-generalize"> {
  let summary = "Write named linalg ops and arithmetic on tensors as linalg.generic";
  let description = [{
    A named op fixes the order of its dimensions and its payload; a linalg.generic can absorb
    transposes, broadcasts and elementwise ops. Fills keep their name. Arithmetic on whole tensors
    (`arith.addf %a, %b : tensor<4xf32>`) gets the loops that fusion needs.
  }];
}

def SpecializePass : UnlockPass<"fuselage-specialize"> {
  let summary = "Convert linalg.generic ops to named ops";
  let description = [{
    The inverse of `fuselage-generalize`: products become `linalg.matmul` or
    `linalg.batch_matmul`, with `indexing_maps` if operands are read transposed; single elementwise
    ops, copies and transposes become named ops. Ops without a name are not changed.
  }];
}

def AbsorbTransposePass : UnlockPass<"fuselage-absorb-transpose"> {
  let summary = "Fold transposes into the indexing maps of contractions";
  let description = [{
    A transpose that only feeds a contraction, such as that of a weight, is folded into the operand's
    indexing map; one that is the only user of a contraction is folded into the result's. Nothing is
    copied then. A named product stays named, with `indexing_maps`.
  }];
  let options = [
    Option<"inputs", "inputs", "bool", /*default=*/"true", "Absorb transposes of operands">,
    Option<"outputs", "outputs", "bool", /*default=*/"true", "Absorb transposes of results">,
  ];
}

def AbsorbBroadcastPass : UnlockPass<"fuselage-absorb-broadcast"> {
  let summary = "Fold broadcasts into the indexing maps of contractions";
  let description = [{
    A copy that repeats its source along new dimensions, such as a weight for each sentence of a batch,
    is removed: the contraction reads the source with an indexing map that omits these dimensions.
  }];
}

def AbsorbConcatPass : UnlockPass<"fuselage-absorb-concat"> {
  let summary = "Fold concatenations into the elementwise ops that read them";
  let description = [{
    Rotary embeddings concatenate the two halves of each head in reverse order, one of them negated.
    If an elementwise op reads a `tensor.concat` of up to four parts, it becomes a `linalg.generic` that
    reads each element from the right part. Slices and cheap ops that produce the parts are computed
    there as well.
  }];
}

def AbsorbPadPass : UnlockPass<"fuselage-absorb-pad"> {
  let summary = "Fold padding and cheap producers into ops that read single elements";
  let description = [{
    If an op looks up rows of a table by computed indices, and cheap arithmetic computes the table from another
    one, the op computes only the elements that it looks up.

    An adaptive pooling reads the elements of its windows by computed indices, from a padded tensor. If the
    index falls into the padding, the padding value is used instead.
  }];
}

def BubbleReshapeUpPass : UnlockPass<"fuselage-bubble-reshape-up"> {
  let summary = "Move reshapes up, before the ops that compute their source";
  let description = [{
    A reshape between two ops keeps them in different dispatches. `tensor.expand_shape` moves before
    elementwise ops, transposes, contractions and reductions, which then work on more dimensions:
    a product whose columns are split into heads gets a loop over heads. Reshapes at arguments and
    results of the function cost nothing and stay.
  }];
  let options = [
    Option<"byCollapsing", "by-collapsing", "bool", /*default=*/"false",
           "Move tensor.collapse_shape instead; the ops lose loops, and named ones their names">,
  ];
}

def BubbleReshapeDownPass : UnlockPass<"fuselage-bubble-reshape-down"> {
  let summary = "Move reshapes down, after the ops that read their result";
  let description = [{
    The counterpart of `fuselage-bubble-reshape-up`: `tensor.collapse_shape` moves after the ops that
    read it, which then work on more dimensions.
  }];
  let options = [
    Option<"byCollapsing", "by-collapsing", "bool", /*default=*/"false",
           "Move tensor.expand_shape instead; the ops lose loops, and named ones their names">,
  ];
}

def InterchangeReductionPass : UnlockPass<"fuselage-interchange-reduction"> {
  let summary = "Make reductions the innermost loops";
  let description = [{
    Orders the parallel loops of an op by the dimensions of its result, followed by its reduction loops.
    Consumers tile the result's dimensions, which are then the outer loops.
  }];
}

def FuseElementwisePass : UnlockPass<"fuselage-fuse-elementwise"> {
  let summary = "Merge elementwise producers into their only consumer";
  let description = [{
    Scale, subtract and exp become one op with one payload. Transposes and broadcasts count as
    elementwise. Producers are also merged into plain reductions, but not into contractions, which would
    recompute the producer for each element that they combine it with. A producer that reads a
    contraction is not merged, so that it can share the contraction's dispatch. A value that an op reads
    twice through the same map is computed once; one that it reads through several maps, or in more
    iterations than the producer has, is merged only if it costs a few additions and multiplications. A
    payload has at most 1024 operations.
  }];
  let options = [
    Option<"maxOperands", "max-operands", "unsigned", /*default=*/"16",
           "Operands that a merged op may have">,
  ];
}

def FuseMultiUsePass : UnlockPass<"fuselage-fuse-multi-use"> {
  let summary = "Merge elementwise producers into several elementwise consumers";
  let description = [{
    If all users of an elementwise op are elementwise too, its value need not be stored: each user
    recomputes it if that costs a few additions and multiplications; otherwise the users become
    one op with several results, which computes it once. Users with more iterations than the producer
    are excluded: they would compute and write each element several times.
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
    Moves reshapes between a contraction (or convolution, or reduction) and the elementwise ops and
    transposes after it: expansions move before the contraction, collapses after the last of the ops.
    Dispatch formation then groups the whole chain.
  }];
}

def FuseReductionPass : UnlockPass<"fuselage-fuse-reduction"> {
  let summary = "Put reductions over the same rows into one dispatch";
  let description = [{
    The maximum, the exponentials, their sum and the division of a softmax all work row by row, and so
    do the mean and the variance of a normalization. Chains of at least two reductions, with the
    elementwise ops between, after and (if they have no other users) before them, become one
    `flow.dispatch.region`: a workgroup does not store its rows in between.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def FuseTilesPass : UnlockPass<"fuselage-fuse-tiles"> {
  let summary = "Put a contraction into the dispatch of the reduction that is its only user";
  let description = [{
    A reduction over one of the parallel dimensions of a contraction (the groups of a quantized product, the columns of a
    matmul whose rows are summed) reads whole rows of its result. A workgroup that reduces a row may compute that row:
    the contraction, the elementwise ops after it and the reduction become one `flow.dispatch.region`, if the values in
    between have no other users and each element is read once.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def FuseDispatchesPass : UnlockPass<"fuselage-fuse-dispatches"> {
  let summary = "Merge two flow.dispatch.region ops if one reads the other's tiles";
  let description = [{
    Merges dispatches formed by an external compiler, or by an earlier step. A region joins the one that it reads if its ops
    are elementwise and their tiles line up with the root's, or if they reduce elementwise results, and if no op between
    the two depends on one and feeds the other. Remarks say why others are not merged, with the maps.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect", "mlir::tensor::TensorDialect"];
}

def FuseIntoLoopsPass : UnlockPass<"fuselage-fuse-into-loops"> {
  let summary = "Fuse consumers and producers into scf.forall loops";
  let description = [{
    An op that reads the result of an `scf.forall` is fused into the loop tile by tile, by upstream's
    tileAndFuseConsumer; so is an op whose result is read only by slices in the loop, by tileAndFuseProducerOfSlice.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def DecomposeSoftmaxPass : UnlockPass<"fuselage-decompose-softmax"> {
  let summary = "Decompose softmax";
  let description = [{
    `linalg.softmax` becomes a maximum, the exponentials, their sum and a division, which fuse with the ops
    before and after.
  }];
}

def FusePackingPass : UnlockPass<"fuselage-fuse-packing"> {
  let summary = "Put packs, unpacks and pads into the dispatch of their producer";
  let description = [{
    A `linalg.pack`, a `linalg.unpack`, or a `tensor.pad` whose result is stored, joins the dispatch of the elementwise
    ops and of the contraction before it if these have no other users; with a `linalg.unpack`, the elementwise ops
    after it join, too.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def FuseHorizontalPass : UnlockPass<"fuselage-fuse-horizontal"> {
  let summary = "Merge contractions that read the same operand";
  let description = [{
    The products that compute queries, keys and values from one input become one linalg.generic with three
    results: the input is read once, and there is one dispatch. The elementwise ops after each result
    are merged as well. The ops must have the same loop ranges.
  }];
  let options = [
    Option<"maxOperands", "max-operands", "unsigned", /*default=*/"16",
           "Operands that a merged op may have">,
  ];
}

def FuseSiblingsPass : UnlockPass<"fuselage-fuse-siblings"> {
  let summary = "Merge adjacent elementwise ops that read the same tensor";
  let description = [{
    Elementwise ops that read the same elements in the same order, and could not join the dispatch of a producer,
    become one op with a result for each: the tensor is read once. Only cheap ops may be between
    them, so that no result is computed long before it is read. This pass runs last, after all other merging.
  }];
  let options = [
    Option<"maxOperands", "max-operands", "unsigned", /*default=*/"16",
           "Operands that a merged op may have">,
  ];
}

#endif // FUSELAGE_TRANSFORMS_UNLOCK_PASSES

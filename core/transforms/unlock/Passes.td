// What lets ops share a dispatch that could not, on tensors. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_UNLOCK_PASSES
#define FUSELAGE_TRANSFORMS_UNLOCK_PASSES

include "mlir/Pass/PassBase.td"

class UnlockPass<string flag> : InterfacePass<flag, "mlir::FunctionOpInterface"> {
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def DropUnusedResultsPass : UnlockPass<"fuselage-drop-unused-results"> {
  let summary = "Drop the results of ops that nobody reads";
  let description = [{
    Exporters write the maximum of a softmax together with its position, of which only the maximum is
    read. Such an op is no plain reduction, which is what attention and normalization are made of. Of
    an op with several results those stay that are read, or that others of it are computed from.
  }];
}

def SplitReductionPass : UnlockPass<"fuselage-split-reduction"> {
  let summary = "Compute what a reduction does not reduce by ops of their own";
  let description = [{
    An op with several results may reduce one and write another element by element: the exponentials of a
    softmax beside their sum. Or it overwrites one with the same value in each step, such as the number of
    elements that an average pooling adds up. As ops of their own these are an elementwise op and a plain
    reduction, which share a dispatch with others.
  }];
}

def ResolveShapesPass : UnlockPass<"fuselage-resolve-shapes"> {
  let summary = "Say shapes by what is known of them";
  let description = [{
    Exporters of dynamic shapes write `tensor.reshape` with a tensor of sizes, which tells nothing about where
    an element goes. Where known sizes line up, and of the others all but one are known to be equal, it is a
    `tensor.collapse_shape` or `tensor.expand_shape`: the number of elements stays. Sizes of computed tensors
    become those of what they are computed from, so that asking for them is no use of the data.
  }];
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
  let summary = "Write named linalg ops and arithmetic on tensors as linalg.generic";
  let description = [{
    A named op fixes the order of its dimensions and its payload; as a linalg.generic it can take
    transposes, broadcasts and elementwise ops in. Fills keep their name. Arithmetic on whole tensors
    (`arith.addf %a, %b : tensor<4xf32>`) gets the loops that fusion needs.
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

def AbsorbConcatPass : UnlockPass<"fuselage-absorb-concat"> {
  let summary = "Let elementwise ops read the parts of what is put together for them";
  let description = [{
    Rotary embeddings put the two halves of each head together the other way round, one of them negated.
    Where an elementwise op reads such a `tensor.concat` of up to four parts, a `linalg.generic` takes
    each element from the part that it belongs to. Slices and cheap ops that make the parts are
    computed there as well.
  }];
}

def AbsorbPadPass : UnlockPass<"fuselage-absorb-pad"> {
  let summary = "Let ops that read single elements of a padded or computed tensor read the original";
  let description = [{
    An op that looks up rows of a table by computed indices, where the table is made of another one by cheap
    arithmetic, computes the elements that it looks up, and no others.

    An adaptive pooling picks the elements of its windows by computed indices, from a tensor with a border
    around it. Where the index falls into the border, the border's value is taken instead.
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
    The counterpart of `fuselage-bubble-reshape-up`: `tensor.collapse_shape` moves after the ops that
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
    after them. Consumers tile with the result's dimensions, which are the outer loops then.
  }];
}

def FuseElementwisePass : UnlockPass<"fuselage-fuse-elementwise"> {
  let summary = "Merge elementwise producers into their only consumer";
  let description = [{
    Scale, subtract and exp become one op with one payload. Transposes and broadcasts count as
    elementwise. Plain reductions take producers in as well, contractions do not: they would compute
    the producer once for each element that they combine it with. Where a contraction feeds the
    producer, it stays free to share that one's dispatch. What an op reads twice alike is computed
    once; what it reads in several ways, or in more iterations than the producer has, is merged only if
    it takes a few additions and multiplications. A payload has at most 1024 operations.
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
    one op with several results, which computes it once. An op with more iterations than the producer
    does not: it would compute and write each element several times.
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
    elementwise ops and transposes after it: splits move before the contraction, merges after
    the last of the ops. What is left is a chain that dispatch formation takes as a whole.
  }];
}

def FuseReductionPass : UnlockPass<"fuselage-fuse-reduction"> {
  let summary = "Put reductions over the same rows into one dispatch";
  let description = [{
    The maximum, the exponentials, their sum and the division of a softmax all work row by row, and so
    do the mean and the variance of a normalization. Chains of at least two reductions, with the
    elementwise ops between, after and (if nobody else reads them) before them, become one
    `flow.dispatch.region`: rows that a workgroup has at hand are not stored in between.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def FuseTilesPass : UnlockPass<"fuselage-fuse-tiles"> {
  let summary = "Put a contraction into the dispatch of the reduction that alone reads its result";
  let description = [{
    A reduction over one of the parallel dimensions of a contraction (the groups of a quantized product, the columns of a
    matmul whose rows are summed up) reads whole rows of its result. A workgroup that reduces a row may compute that row:
    the contraction, the elementwise ops after it and the reduction become one `flow.dispatch.region`, where nobody else
    reads what is in between and each element is read once.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def FuseDispatchesPass : UnlockPass<"fuselage-fuse-dispatches"> {
  let summary = "Make one flow.dispatch.region of two, where one reads the other's tiles";
  let description = [{
    Dispatches that another compiler formed, or an earlier step. A region joins the one that it reads if its ops are
    elementwise and their tiles line up with the root's, or reduce what is computed element by element, and no op between
    the two waits for one and feeds the other. Remarks say why others stay apart, with the maps.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect", "mlir::tensor::TensorDialect"];
}

def FuseIntoLoopsPass : UnlockPass<"fuselage-fuse-into-loops"> {
  let summary = "Compute in an scf.forall what reads its tiles, and what its tiles are cut from";
  let description = [{
    An op that reads the result of an `scf.forall` moves into the loop, which computes its tile of it, by upstream's
    tileAndFuseConsumer; an op whose result only slices of the loop read does, too, by tileAndFuseProducerOfSlice.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def DecomposeSoftmaxPass : UnlockPass<"fuselage-decompose-softmax"> {
  let summary = "Write softmax as the ops that it consists of";
  let description = [{
    `linalg.softmax` becomes a maximum, the exponentials, their sum and a division, which fuse with what
    is computed before and after.
  }];
}

def FusePackingPass : UnlockPass<"fuselage-fuse-packing"> {
  let summary = "Put changes of layout into the dispatch of what they pack or unpack";
  let description = [{
    A `linalg.pack`, a `linalg.unpack`, or a `tensor.pad` whose result is stored, ends the dispatch of the elementwise
    ops and of the contraction before it that nobody else reads; a `linalg.unpack` takes the elementwise ops after
    it along.
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

def FuseSiblingsPass : UnlockPass<"fuselage-fuse-siblings"> {
  let summary = "Merge elementwise ops that read the same tensor next to each other";
  let description = [{
    Elementwise ops that read the same elements in the same order, and follow no other op whose dispatch could take
    them, become one op with a result for each: the tensor is read once. Nothing but cheap ops may stand between
    them, so that no result is made long before it is read. Comes last: what could be merged otherwise is.
  }];
  let options = [
    Option<"maxOperands", "max-operands", "unsigned", /*default=*/"16",
           "Operands that a merged op may have">,
  ];
}

#endif // FUSELAGE_TRANSFORMS_UNLOCK_PASSES

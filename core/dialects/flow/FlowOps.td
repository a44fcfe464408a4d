// The `flow` dialect: the few ops of it that we create, in the assembly that IREE prints.
#ifndef FUSELAGE_DIALECTS_FLOWOPS
#define FUSELAGE_DIALECTS_FLOWOPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

def FlowDialect : Dialect {
  let name = "flow";
  let cppNamespace = "::fuselage::flow";
  let summary = "Dispatches: groups of ops on tensors that become one kernel";
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
  let extraClassDeclaration = [{
    /// From now on every other op, attribute and type of the namespace parses, too
    /// (loadTolerantDialects).
    void tolerateUnknown();
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;
    ::llvm::unique_function<void(::mlir::Operation *, ::mlir::OpAsmPrinter &)>
    getOperationPrinter(::mlir::Operation *op) const override;
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;

  private:
    std::shared_ptr<::fuselage::RawAttrKind> raw;
  public:
  }];
}

class Flow_Op<string mnemonic, list<Trait> traits = []> : Op<FlowDialect, mnemonic, traits>;

def DispatchRegionOp : Flow_Op<"dispatch.region", [
    AttrSizedOperandSegments, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface,
        ["getRegionInvocationBounds"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>]> {
  let summary = "ops that run as one dispatch";
  let description = [{
    Runs its body once. The body sees every value that dominates the op, and yields the results with
    `flow.return`. `result_dims` are the dynamic dimensions of the results, in order. `workload`
    feeds the optional `count` region, which yields the workgroup counts.

    ```mlir
    %r = flow.dispatch.region[%w] -> (tensor<?x4xf32>{%d0}) {
      %0 = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x4xf32>)
                         outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
      flow.return %0 : tensor<?x4xf32>
    } count(%arg0: index) -> (index, index, index) {
      %c1 = arith.constant 1 : index
      flow.return %arg0, %c1, %c1 : index, index, index
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$result_dims, Variadic<Index>:$workload);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$workgroup_count);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    /// An empty body: the caller adds the ops and the flow.return.
    OpBuilder<(ins "::mlir::TypeRange":$resultTypes, "::mlir::ValueRange":$resultDims,
                   CArg<"::mlir::ValueRange", "{}">:$workload)>
  ];
  let extraClassDeclaration = [{
    /// The slice of `result_dims` that belongs to result `index`.
    ::mlir::ValueRange getDynamicDimsOf(unsigned index);
    /// The terminator of the body.
    ReturnOp getReturn();
  }];
}

def ReturnOp : Flow_Op<"return", [
    Pure, Terminator, ReturnLike]> {
  let summary = "yields the results of a dispatch";
  let description = [{
    Ends the regions of `flow.dispatch.region` and `flow.attention`, and those of ops of this dialect that Fuselage only
    reads, such as `flow.dispatch.workgroups`.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

def AttentionOp : Flow_Op<"attention", [
    AttrSizedOperandSegments, RecursiveMemoryEffects, SingleBlock,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
        ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<TilingInterface,
        ["getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
         "getResultTilePosition", "generateResultTileValue"]>]> {
  let summary = "softmax of scores times values, where the scores are a product of queries and keys";
  let description = [{
    Computes attention without specifying loops. `fuselage-tile-attention` creates the loops once the device is
    known.

    The iteration domain has the dimensions of the scores first, then the other dimensions of the queries and keys,
    then those of the values. `indexing_maps` has one projected permutation of it for each operand, in the order of the
    text. `key_dims` are the dimensions of the scores along which the softmax is computed.

    Regions define the computation of one element; each ends with `flow.return`:

    - `queries`: from the elements of the query operands to an element of the queries. Omitted if there is one
      operand, which is read as it is.
    - `scores`: from a query, a key and an accumulator to the accumulator. The accumulators start at 0.
    - `logits`: from a score, the elements of the `with` operands and the position of the score along each of its
      dimensions to the input of the softmax. Omitted if that is the score.
    - `probabilities`: from a probability to another float. Omitted if the product with the values uses it as it is.
    - `context`: from a probability, a value and an accumulator to the accumulator.

    The accumulators of floats of 16 bits and fewer are f32. The maximum of each row is subtracted from its logits, so
    that the exponentials do not overflow. With `powers_of_two` the exponentials are powers of 2 rather than of e. The
    results are converted to the element type of the destination, whose old contents are not read.

    ```mlir
    #q = affine_map<(h, i, j, d, n) -> (h, i, d)>
    #k = affine_map<(h, i, j, d, n) -> (h, j, d)>
    #v = affine_map<(h, i, j, d, n) -> (h, j, n)>
    #r = affine_map<(h, i, j, d, n) -> (h, i, n)>
    %r = flow.attention {indexing_maps = [#q, #k, #v, #r], key_dims = array<i64: 2>}
        queries(%q : tensor<12x128x64xf32>) keys(%k : tensor<12x128x64xf32>) values(%v : tensor<12x128x64xf32>)
        outs(%e : tensor<12x128x64xf32>) scores {
    ^bb0(%query: f32, %key: f32, %sum: f32):
      %0 = arith.mulf %query, %key : f32
      %1 = arith.addf %sum, %0 : f32
      flow.return %1 : f32
    } logits {
    ^bb0(%score: f32, %h: index, %i: index, %j: index):
      %0 = arith.divf %score, %c8 : f32
      flow.return %0 : f32
    } context {
    ^bb0(%probability: f32, %value: f32, %sum: f32):
      %0 = arith.mulf %probability, %value : f32
      %1 = arith.addf %sum, %0 : f32
      flow.return %1 : f32
    } -> tensor<12x128x64xf32>
    ```

    TilingInterface tiles the dimensions of the result (heads, queries, columns of the values). The other dimensions stay
    whole: tiling the keys requires a maximum and a sum of each row that are carried from tile to tile.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$queries, AnyRankedTensor:$keys,
                       Variadic<AnyRankedTensor>:$extras, AnyRankedTensor:$values, AnyRankedTensor:$init,
                       AffineMapArrayAttr:$indexing_maps, DenseI64ArrayAttr:$key_dims,
                       UnitAttr:$powers_of_two);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region MaxSizedRegion<1>:$query_region, SizedRegion<1>:$scores_region,
                        MaxSizedRegion<1>:$logits_region, MaxSizedRegion<1>:$probabilities_region,
                        SizedRegion<1>:$context_region);
  let assemblyFormat = [{
    attr-dict `queries` `(` $queries `:` type($queries) `)` `keys` `(` $keys `:` type($keys) `)`
    (`with` `(` $extras^ `:` type($extras) `)`)? `values` `(` $values `:` type($values) `)`
    `outs` `(` $init `:` type($init) `)` (`queries` $query_region^)? `scores` $scores_region
    (`logits` $logits_region^)? (`probabilities` $probabilities_region^)? `context` $context_region
    `->` type($result)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::AffineMap> getIndexingMapsArray();
    ::mlir::AffineMap getMatchingIndexingMap(::mlir::OpOperand &operand);
    /// Of the iteration domain; 0 if there are no maps.
    unsigned getNumLoops();
    /// How many dimensions the scores have, the first ones of the iteration domain.
    unsigned getScoreRank();
    /// The range of each loop; ShapedType::kDynamic where it is dynamic.
    ::llvm::SmallVector<int64_t> getStaticLoopRanges();
    /// The same as values or constants. Sizes that are dynamic are read before the builder's insertion point.
    ::llvm::SmallVector<::mlir::OpFoldResult> getLoopRanges(::mlir::OpBuilder &builder);
    /// The operand of which a region's argument is an element; null for accumulators, scores, probabilities and positions.
    ::mlir::OpOperand *getMatchingOpOperand(::mlir::BlockArgument argument);
  }];
}

#endif // FUSELAGE_DIALECTS_FLOWOPS

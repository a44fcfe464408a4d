// The `flow` dialect: the few ops of it that we create, in the assembly that IREE prints.
#ifndef FUSELAGE_DIALECTS_FLOWOPS
#define FUSELAGE_DIALECTS_FLOWOPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

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
    Ends the regions of `flow.dispatch.region`, and those of the ops of this dialect that are only read,
    such as `flow.dispatch.workgroups`.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

#endif // FUSELAGE_DIALECTS_FLOWOPS

// Programs of other compilers, and what shares a dispatch.
#ifndef FUSELAGE_TRANSFORMS_FORMATIONPASSES
#define FUSELAGE_TRANSFORMS_FORMATIONPASSES

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

#endif // FUSELAGE_TRANSFORMS_FORMATIONPASSES

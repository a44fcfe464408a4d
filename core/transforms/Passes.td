// The passes of Fuselage. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_PASSES
#define FUSELAGE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

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

def OutlineDispatchesPass : Pass<"fuselage-outline-dispatches", "mlir::ModuleOp"> {
  let summary = "Move every flow.dispatch.region into a function of its own";
  let description = [{
    Each region becomes a private `func.func @<function>_dispatch_<i>_<name>` with the attribute
    `fuselage.dispatch = i`, and a `func.call` in its place. Values that the region uses become
    arguments (tensors first); small constants and `tensor.empty` ops are cloned inside instead.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

#endif // FUSELAGE_TRANSFORMS_PASSES

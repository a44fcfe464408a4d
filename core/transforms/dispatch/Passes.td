// Which ops share a dispatch. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_DISPATCH_PASSES
#define FUSELAGE_TRANSFORMS_DISPATCH_PASSES

include "mlir/Pass/PassBase.td"

def FormDispatchesPass
    : InterfacePass<"fuselage-form-dispatches", "mlir::FunctionOpInterface"> {
  let summary = "Group ops on tensors into flow.dispatch.region ops";
  let description = [{
    Finds root ops (contractions, convolutions, reductions), adds to each the elementwise consumers
    whose iteration domain tiles with the root's result, clones cheap producers in (fill, empty,
    broadcast, splat constants) and what only starts an accumulation, and wraps every group into a
    `flow.dispatch.region`. Compute ops that are left over form dispatches of their own. Reshapes, slices,
    constants and fills stay outside: to set all of a tensor to one scalar takes no kernel.
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

def OutlineDispatchesPass : Pass<"fuselage-outline-dispatches", "mlir::ModuleOp"> {
  let summary = "Move every flow.dispatch.region into a function of its own";
  let description = [{
    Each region becomes a private `func.func @<function>_dispatch_<i>_<name>` with the attribute
    `fuselage.dispatch = i`, and a `func.call` in its place. Values that the region uses become
    arguments (tensors first); small constants and `tensor.empty` ops are cloned inside instead.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

#endif // FUSELAGE_TRANSFORMS_DISPATCH_PASSES

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

def DispatchMovesPass : InterfacePass<"fuselage-dispatch-moves", "mlir::FunctionOpInterface"> {
  let summary = "Give slices and joins of tensors a place in dispatches";
  let description = [{
    What moves elements and computes nothing belongs to no root, and between dispatches it would run on one thread of the host,
    with a trip over the bus to and from a GPU. Here a slice whose place is known is cloned into each dispatch that reads it,
    where it is a view, also after a `tensor.expand_shape` (for a contraction only if it lies on 16 bytes); `tensor.concat` and `tensor.insert_slice` become
    dispatches, several insertions after each other one, together with the elementwise dispatches that nobody else reads: their
    ops write to where the result has them. A slice that is needed by itself, after a reshape say, becomes a dispatch that
    copies. Sizes have to be known. Small slices of integers, and those that `tensor.extract` reads, stay: the host decides by them.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect", "mlir::tensor::TensorDialect"];
}

def FuseWithinDispatchesPass : Pass<"fuselage-fuse-within-dispatches"> {
  let summary = "Merge the elementwise ops of a dispatch into their consumers";
  let description = [{
    What `linalg-fuse-elementwise-ops` does, with one exception: an op that unpacks narrow integers for a
    contraction (dequantization) stays an op. In the payload of the contraction it would unpack an element
    again for every product; by itself it is fused into the loop over the reduction, and unpacks each tile
    once, into workgroup memory.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect", "mlir::arith::ArithDialect", "mlir::complex::ComplexDialect", "mlir::math::MathDialect"];
}

def CseDispatchesPass : InterfacePass<"fuselage-cse-dispatches", "mlir::FunctionOpInterface"> {
  let summary = "Eliminate common subexpressions in and around many dispatches";
  let description = [{
    What `cse` does, until nothing changes, in linear time. `cse` hashes an op by its operands, and a dispatch has none: it
    compares each of thousands of like dispatches with all others. Here only those that read the same values are compared.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect"];
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

def MergeEqualDispatchesPass : Pass<"fuselage-merge-equal-dispatches", "mlir::ModuleOp"> {
  let summary = "Keep one function of outlined dispatches that are equal";
  let description = [{
    Private functions with the attribute `fuselage.dispatch` that agree in everything but name, number and locations become
    one: calls go to the first, and the others are erased. Functions that anything but a `func.call` names stay. Upstream's
    `duplicate-function-elimination` does the same for functions that agree in all attributes.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

#endif // FUSELAGE_TRANSFORMS_DISPATCH_PASSES

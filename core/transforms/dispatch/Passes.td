// Which ops share a dispatch. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_DISPATCH_PASSES
#define FUSELAGE_TRANSFORMS_DISPATCH_PASSES

include "mlir/Pass/PassBase.td"

def FormDispatchesPass
    : InterfacePass<"fuselage-form-dispatches", "mlir::FunctionOpInterface"> {
  let summary = "Group ops on tensors into flow.dispatch.region ops";
  let description = [{
    Finds root ops (contractions, convolutions, reductions), adds to each the elementwise consumers
    whose iteration domain tiles with the root's result, clones cheap producers (fill, empty,
    broadcast, splat constants) and ops that only initialize an accumulator into it, and wraps every
    group in a `flow.dispatch.region`. The remaining compute ops form separate dispatches. Reshapes,
    slices, constants and fills stay outside: filling a tensor with one scalar needs no kernel.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"aggressive\"",
           "Fusion policy: conservative, aggressive or none; changes to it follow in braces, as in "
           "conservative{multi-use=true}">,
    Option<"fuseConsumers", "fuse-consumers", "bool", /*default=*/"true",
           "Add elementwise consumers to the dispatch of their root">,
    Option<"cloneProducers", "clone-producers", "bool", /*default=*/"true",
           "Clone fills, empties, broadcasts and splat constants into their consumers' dispatches">,
    Option<"wrapLeftovers", "wrap-leftovers", "bool", /*default=*/"true",
           "Put compute ops that belong to no root into separate dispatches">,
  ];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect",
                           "mlir::tensor::TensorDialect"];
}

def DispatchMovesPass : InterfacePass<"fuselage-dispatch-moves", "mlir::FunctionOpInterface"> {
  let summary = "Move slices and concatenations of tensors into dispatches";
  let description = [{
    Ops that only move elements belong to no root. Between dispatches they would run on one thread of the host, with
    transfers to and from a GPU. This pass clones a slice with known offsets into each dispatch that reads it, where it is a
    view, also after a `tensor.expand_shape` (for a contraction only if it is aligned to 16 bytes). `tensor.concat` and
    `tensor.insert_slice` become dispatches, consecutive insertions a single one. Elementwise dispatches that they alone read
    join them, and write directly into the result. A slice that is needed by itself, for example after a reshape, becomes a
    dispatch that copies. Sizes have to be known. Small slices of integers, and those read by `tensor.extract`, stay, since
    the host needs their values.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::arith::ArithDialect", "mlir::tensor::TensorDialect"];
}

def FuseWithinDispatchesPass : Pass<"fuselage-fuse-within-dispatches"> {
  let summary = "Merge the elementwise ops of a dispatch into their consumers";
  let description = [{
    Like `linalg-fuse-elementwise-ops`, with one exception: an op that unpacks narrow integers for a
    contraction (dequantization) stays separate. In the payload of the contraction it would unpack each element
    again for every product; as a separate op it is fused into the loop over the reduction, and unpacks each tile
    once, into workgroup memory.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect", "mlir::arith::ArithDialect", "mlir::complex::ComplexDialect", "mlir::math::MathDialect"];
}

def CseDispatchesPass : InterfacePass<"fuselage-cse-dispatches", "mlir::FunctionOpInterface"> {
  let summary = "Eliminate common subexpressions in and around many dispatches";
  let description = [{
    Like `cse`, repeated until nothing changes, in linear time. `cse` hashes an op by its operands, and a dispatch has none, so it
    compares each of thousands of similar dispatches with all others. This pass compares only those that read the same values.
  }];
  let dependentDialects = ["fuselage::flow::FlowDialect"];
}

def OutlineDispatchesPass : Pass<"fuselage-outline-dispatches", "mlir::ModuleOp"> {
  let summary = "Outline every flow.dispatch.region into a function";
  let description = [{
    Each region becomes a private `func.func @<function>_dispatch_<i>_<name>` with the attribute
    `fuselage.dispatch = i`, and a `func.call` in its place. Values that the region uses become
    arguments (tensors first); small constants and `tensor.empty` ops are cloned inside instead.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

def MergeEqualDispatchesPass : Pass<"fuselage-merge-equal-dispatches", "mlir::ModuleOp"> {
  let summary = "Merge equal outlined dispatches into one function";
  let description = [{
    Private functions with the attribute `fuselage.dispatch` that differ only in name, number and locations are merged: calls
    go to the first, and the others are erased. Functions with other uses than `func.call` stay. Upstream's
    `duplicate-function-elimination` does the same for functions with equal attributes.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

#endif // FUSELAGE_TRANSFORMS_DISPATCH_PASSES

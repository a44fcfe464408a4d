// Upstream's ops that stand for a small program, and what upstream's own rewrites of them do not
// check.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {

/// The op's parts, by upstream. Failure, and nothing is changed: upstream refuses, or
/// whyNotDecomposed() has a reason.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> decompose(mlir::RewriterBase &rewriter,
                                                          mlir::linalg::AggregatedOpInterface op);

/// What upstream's rewrite of the op would not survive or makes no sense of: "is of i8, and exp is
/// of floats"; empty if there is nothing, or the op is no composite one.
std::string whyNotDecomposed(mlir::Operation *op);

/// tensor.gather as a linalg.generic, tensor.scatter as a loop over its updates.
mlir::Value decompose(mlir::OpBuilder &builder, mlir::tensor::GatherOp op);
mlir::Value decompose(mlir::OpBuilder &builder, mlir::tensor::ScatterOp op);

/// Opens the composite ops on tensors below `root`: softmax and the like, packs, winograd
/// transforms, gathers and scatters. What a rewrite refuses stays. `keepFusable`: so do softmax and
/// packs, which dispatches are formed around as they are.
void decomposeUpstreamComposites(mlir::Operation *root, bool keepFusable = false);

/// Whether the op is one that dispatches are not formed around.
bool isUnfusableComposite(mlir::Operation *op);

} // namespace fuselage

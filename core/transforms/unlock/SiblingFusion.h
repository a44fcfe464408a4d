// Ops side by side that become one op with several results.
#pragma once
#include "core/transforms/unlock/LinalgUtils.h"

namespace fuselage {

/// `value`, or what it is a mere reshape of that another reshape of the same form also gives: equal
/// origins with equal types are equal values.
mlir::Value originOf(mlir::Value value);

/// Why the ops cannot become one linalg.generic; empty if they can. `shared` is an operand of the
/// first one that reads what all of them read: it ties their loops together. All stand in one block,
/// in program order.
std::string whyNotSiblings(llvm::ArrayRef<mlir::linalg::LinalgOp> ops, mlir::OpOperand &shared, unsigned maxOperands);

/// Adds `op` to the ops, which it may join; an elementwise op walks its loops in another order if it reads what is
/// shared alike then. Otherwise says why not, and changes nothing.
std::string joinSiblings(mlir::RewriterBase &rewriter, llvm::SmallVectorImpl<mlir::linalg::LinalgOp> &ops,
                         mlir::linalg::LinalgOp op, mlir::OpOperand &shared, unsigned maxOperands);

/// One op that computes what all of them do, with the loops of the first and their results in order.
/// Moves what the others read before the first one.
mlir::FailureOr<mlir::linalg::GenericOp> mergeSiblings(mlir::RewriterBase &rewriter,
                                                       llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

} // namespace fuselage

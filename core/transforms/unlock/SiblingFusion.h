// Ops side by side that become one op with several results.
#pragma once
#include "core/transforms/unlock/LinalgUtils.h"

namespace fuselage {

/// `value`, or what it is a mere reshape of that another reshape of the same form also gives: equal
/// origins with equal types are equal values.
mlir::Value originOf(mlir::Value value);

/// Ops that can become one linalg.generic. All stand in one block, in program order.
class Siblings {
public:
  /// The op would have at most `maxOperands` operands.
  Siblings(mlir::linalg::LinalgOp first, unsigned maxOperands) : ops_{first}, maxOperands_(maxOperands) {}

  llvm::ArrayRef<mlir::linalg::LinalgOp> ops() const { return ops_; }

  /// Adds `op`; an elementwise op walks its loops in another order if it reads what is shared alike then. Otherwise
  /// says why not, and changes nothing. `shared` is an operand of the first op that reads what all of them read: it
  /// ties their loops together.
  std::string join(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, mlir::OpOperand &shared);

  /// One op that computes what all of them do, with the loops of the first and their results in order. Moves what the
  /// others read before the first one. There are no siblings after that.
  mlir::linalg::GenericOp merge(mlir::RewriterBase &rewriter);

private:
  std::string whyNot(mlir::linalg::LinalgOp op, mlir::OpOperand &shared);
  bool mustStayBehind(mlir::linalg::LinalgOp op);

  llvm::SmallVector<mlir::linalg::LinalgOp> ops_;
  unsigned maxOperands_;
  /// Ops after the first one: whether they are one of `ops_`, have effects, or need such an op. In a long chain of ops
  /// that read one value, each but the first would walk the whole chain to find that out.
  llvm::DenseMap<mlir::Operation *, bool> fixed_;
};

} // namespace fuselage

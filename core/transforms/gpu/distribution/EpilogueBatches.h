// What follows a reduction in registers, a few results at a time, so that the registers suffice.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// The results that a thread takes through an epilogue at once. Between two lots their results are stored, which keeps
/// compilers from beginning with the next one's reads: what is live then is the results that wait and, for each of the
/// lot, what the bodies hold, counted from when their values are used last; functions such as erf count with what their
/// usual expansions hold.
class EpilogueLots {
public:
  /// For `epilogue` behind `op` at `points`. What several points share, such as a bias, is read at the insertion point.
  EpilogueLots(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::linalg::LinalgOp> epilogue,
               llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points);
  /// Points of a lot: all, where there is no epilogue; a divisor of them.
  size_t size() const { return size_; }
  /// The element of `operand` at a point where it has been read; null elsewhere.
  mlir::Value shared(mlir::OpOperand &operand, size_t point) const;

private:
  void share(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::linalg::LinalgOp> epilogue,
             llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points);

  size_t size_;
  llvm::DenseMap<mlir::OpOperand *, llvm::SmallVector<mlir::Value>> shared_;
};

} // namespace fuselage

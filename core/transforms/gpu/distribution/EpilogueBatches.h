// Computes the elementwise ops after a reduction in registers, in batches of results that fit in them.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// The batches of results for which a thread computes an epilogue at once. Each batch is stored before the next one
/// starts, which keeps compilers from moving the next reads up. So the registers in use are those of all results, and
/// for each result of the batch the values that are live in the bodies; a function such as erf counts as many as its
/// usual expansion needs.
class EpilogueBatches {
public:
  /// For the ops `epilogue` after `op` at `points`. Elements that several points share, such as those of a bias, are
  /// read at the insertion point.
  EpilogueBatches(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                  llvm::ArrayRef<mlir::linalg::LinalgOp> epilogue,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points);
  /// Points of a batch, a divisor of their number; all if there is no epilogue.
  size_t size() const { return size_; }
  /// Returns the element of `operand` at `point` if it has been read at the insertion point; else null.
  mlir::Value shared(mlir::OpOperand &operand, size_t point) const;

private:
  void share(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::linalg::LinalgOp> epilogue,
             llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points);

  size_t size_;
  llvm::DenseMap<mlir::OpOperand *, llvm::SmallVector<mlir::Value>> shared_;
};

} // namespace fuselage

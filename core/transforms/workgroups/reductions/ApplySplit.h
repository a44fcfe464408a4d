// Reductions of a great depth to few results, which would leave most of a device idle: partial results first.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// What a partial result is the sum of.
enum class Share {
  Run,    ///< neighbours: for threads that read by themselves
  Stride, ///< elements as far apart as there are parts: for threads that read side by side
};

/// Whether `op` has `mostResults` results at most, each made of `leastDepth` iterations at least, and its sums can be
/// taken apart: one result of static shape that grows by an op with a neutral element, from operands that are read
/// where loops say.
bool isLongReduction(mlir::linalg::LinalgOp op, int64_t mostResults, int64_t leastDepth);

/// `op` as a linalg.generic whose reductions are one loop. Failure: they do not lie behind each other in all operands.
mlir::FailureOr<mlir::linalg::GenericOp> collapseReductions(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// `op` on `size` iterations of `loop`, from `first` on, on top of `init`; it stays as it is.
mlir::linalg::GenericOp overRange(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op, unsigned loop,
                                  int64_t first, int64_t size, mlir::Value init);

/// A sum that was taken apart.
struct SplitSum {
  mlir::linalg::GenericOp partial; ///< computes the partial results, which an op behind it adds up in their order
  mlir::linalg::GenericOp
      rest; ///< adds iterations at the end that no number of steps divides to that; null: there are none
};

/// Makes of `op`, of which isLongReduction holds, one op that computes `parts` partial results for each result, in a
/// multiple of `steps` iterations, and one behind it that adds them up. Failure: its reductions are no single loop and
/// cannot become one, or are not as deep; then `op` may have become a linalg.generic of fewer loops that computes the
/// same.
mlir::FailureOr<SplitSum> splitLongSum(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, int64_t parts,
                                       Share share, int64_t steps = 1);

} // namespace fuselage

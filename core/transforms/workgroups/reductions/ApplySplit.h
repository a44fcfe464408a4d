// Rewrites a reduction into one op that computes partial results and ops that combine them. Decides nothing: the sizes
// come from a chooser (ChooseSplit.h).
#pragma once
#include "core/transforms/workgroups/reductions/ReductionSplit.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Rewrites `op` into a linalg.generic with one reduction loop. Fails if its reduction loops are not contiguous, in
/// this order, in all operands; `op` may then have become a linalg.generic.
mlir::FailureOr<mlir::linalg::GenericOp> collapseReductions(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// The ops that a reduction became.
struct SplitOps {
  mlir::linalg::GenericOp partial; ///< computes the partial results
  mlir::linalg::GenericOp rest;    ///< adds the iterations that the split does not cover; null if it covers all
};

/// Splits `op`, for which isLongReduction() holds.
///
/// Rows and Columns: the partial results of a workgroup's threads are combined in the same kernel, in one or two steps,
/// and those of several workgroups in a kernel of their own. The ops carry the tiles that `split` has as requested
/// sizes (TilingConfig.h), and attributes (PartialResults.h). Strided and Runs: linalg::splitReduction, with
/// `split.threads` partial results; one op combines them. Covers whole multiples of `split.workgroups`, so that the
/// caller can split the partial results further.
///
/// Fails if collapseReductions does, or if there are fewer than two partial results of two iterations.
mlir::FailureOr<SplitOps> applySplit(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                                     const ReductionSplit &split);

} // namespace fuselage

// Chooses split-K: contractions with fewer tiles than the device has multiprocessors, whose K dimension several
// workgroups share. Changes no IR.
#pragma once
#include "core/transforms/workgroups/reductions/ReductionSplit.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"

namespace fuselage {

/// Upper bound for the partial results of a split-K contraction, all splits together, in bytes.
constexpr int64_t mostPartialBytes = int64_t(32) << 20;

/// Returns the split-K configuration for `op`: the one in its TilingConfig if present, otherwise, if `mayChoose`, the
/// fastest predicted for the strategy's multiprocessors, its tile included. Returns nullopt if the second kernel, which
/// combines the partial results, does not pay off, and for reductions that cannot be split (see canSplitReduction).
std::optional<WorkgroupSplit> chooseSplitK(mlir::linalg::LinalgOp op, const TargetStrategy &strategy,
                                           const KernelContext &kernel = {}, bool mayChoose = true);

} // namespace fuselage

// Contractions with fewer tiles than the device has multiprocessors: whether several workgroups share the depth of each
// tile.
#pragma once
#include "core/transforms/workgroups/strategy/TargetStrategy.h"

namespace fuselage {

/// Upper bound for the partial results of a split-K contraction, all splits together, in bytes.
constexpr int64_t mostPartialBytes = int64_t(32) << 20;

/// A split-K configuration.
struct SplitK {
  llvm::SmallVector<int64_t> workgroup; ///< tile by loop, used without rounding; 0 for reduction loops
  llvm::SmallVector<int64_t> part;      ///< by loop: iterations of a reduction loop per workgroup; 0: not split
};

/// Returns the split-K configuration for `op`: the one in its TilingConfig if present, otherwise, if `mayChoose`, the
/// fastest predicted for the strategy's multiprocessors, its tile included. Returns nullopt if the second kernel, which
/// adds up the partial results, does not pay off, and for reductions that cannot be split (see canSplitReduction).
std::optional<SplitK> chooseSplitK(mlir::linalg::LinalgOp op, const TargetStrategy &strategy,
                                   const KernelContext &kernel = {}, bool mayChoose = true);

} // namespace fuselage

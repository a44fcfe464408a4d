// How one reduction is split into partial results: what choosers return and the rewrite applies.
#pragma once
#include "core/transforms/workgroups/strategy/StrategyOptions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

/// The sizes of a split. The K iterations of each result become `workgroups` runs for different workgroups, which a
/// second kernel combines, and each run `threads` partial results, which the same workgroup combines.
struct ReductionSplit {
  SplitKind kind;
  int64_t workgroups = 1;
  int64_t threads = 1;
  int64_t steps = 0;   ///< serial iterations of a partial result, `perRead` elements each
  int64_t perRead = 1; ///< contiguous elements that a thread reads at once
  int64_t tile = 0;    ///< of a workgroup: rows (Rows), columns (Columns), or partial results (Strided; 0: all)

  /// Iterations that the split covers. The others, at the end of K, are added to the combined result.
  int64_t covered() const { return workgroups * threads * steps * perRead; }
};

/// A reduction or contraction that becomes one loop over tiles and over splits of a reduction loop (split-K); an op
/// after it combines the partial results.
struct WorkgroupSplit {
  mlir::Operation *op;
  llvm::SmallVector<int64_t> workgroup; ///< tile by loop, used without rounding; 0 for reduction loops
  llvm::SmallVector<int64_t> split;     ///< by loop: iterations of a reduction loop per workgroup; 0: not split
};

} // namespace fuselage

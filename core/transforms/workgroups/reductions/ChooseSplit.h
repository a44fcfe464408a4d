// Chooses the sizes of split reductions from their extents and the device. Changes no IR. Contractions that are tiled
// in workgroup memory have a chooser of their own (ChooseSplitK.h), since their tiles are chosen with the split.
#pragma once
#include "core/transforms/workgroups/reductions/ReductionSplit.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"

namespace fuselage {

/// The extents of a reduction that its split depends on.
struct ReductionExtents {
  int64_t iterations = 1;   ///< K: iterations of one result
  int64_t results = 1;      ///< Columns: only those that differ in a loop which the main input has, without `columns`
  int64_t columns = 1;      ///< Columns: the innermost loop of the main input
  int64_t elementBytes = 4; ///< of the main input (see ReductionShape.h)
  int64_t perRead = 1;      ///< contiguous elements of the main input that a thread can read at once
};

/// The extents of `op`, a reduction of static sizes, for a split of `kind`.
ReductionExtents extentsOf(mlir::linalg::LinalgOp op, SplitKind kind);

/// Returns true if `op` can have a split of `kind`: Rows and Columns need at least 64 iterations and a main input with
/// the layout in their names, and take contractions only if they are skinny; Strided needs few results of many
/// iterations (LongReductionOptions) and no requested sizes. False for results of an earlier split.
bool canSplit(mlir::linalg::LinalgOp op, SplitKind kind, const TargetStrategy &strategy);

/// Returns the split of `kind` for a reduction of these extents. Rows and Columns split each reduction among threads;
/// among workgroups only if TargetStrategy::shouldSplitReduction says so.
ReductionSplit chooseSplit(const ReductionExtents &extents, SplitKind kind, const TargetStrategy &strategy);

/// Returns the split into runs for `threads` threads of the host. Returns nullopt if `op` has enough results for all of
/// them or fewer than 2^15 iterations.
std::optional<ReductionSplit> chooseRuns(mlir::linalg::LinalgOp op, int64_t threads);

} // namespace fuselage

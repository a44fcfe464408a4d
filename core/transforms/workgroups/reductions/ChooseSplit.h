// Sums down columns on GPUs: rows are shared by the threads of a workgroup, and by workgroups where there are too few
// columns for all.
#pragma once
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Takes the sums (maxima, ..) in `body` apart whose columns lie side by side in memory, and products of few rows by a
/// matrix that lies so, for GPUs whose kernels are made by threads together
/// (TargetStrategy::splitsReductionsOverThreads): a subgroup reads neighbouring columns 16 bytes a thread at a time,
/// the subgroups of a workgroup every fourth row each, and workgroups parts of the rows, which are added up in a kernel
/// behind theirs. What is elementwise in front of such a sum is computed in it.
void shareColumns(mlir::RewriterBase &rewriter, mlir::Block &body, const TargetStrategy &strategy);

} // namespace fuselage

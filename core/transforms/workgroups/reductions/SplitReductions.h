// Split reductions: this folder is their home.
//
// A reduction of many iterations to few results leaves much of a device idle, and threads that each read a row of their
// own read memory in pieces. Such a reduction is split: an op computes partial results, and others combine them.
// - TargetStrategy::reductionSplits lists the kinds of split (SplitKind) that suit a device.
// - Choosers compute the sizes from extents and costs (ChooseSplit.h, ChooseSplitK.h). They change nothing.
// - applySplit() rewrites an op to given sizes (ApplySplit.h). Contractions are split by their loop over workgroups,
// which
//   needs their kernel's plan (see SplitTiling.h).
// Long chains of additions inside one thread are another matter (see BlockedSummation.cpp).
#pragma once
#include "core/transforms/workgroups/reductions/ReductionSplit.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "mlir/IR/PatternMatch.h"
#include <vector>

namespace fuselage {

/// Splits the reductions of `body` in the ways that the strategy lists, with their elementwise producers fused. A
/// reduction that reads what another op of `body` computes along its rows is left alone. Reports splits among
/// workgroups as remarks. Returns the ops whose partial results are still to be split among workgroups, in their loop.
std::vector<WorkgroupSplit> splitReductions(mlir::RewriterBase &rewriter, mlir::Block &body,
                                            const TargetStrategy &strategy);

} // namespace fuselage

// Splits reductions: the entry to this folder, in which all split reductions live.
//
// A reduction of many iterations to few results leaves much of a device idle, and threads that read a row each do not
// read contiguous memory together. So reductions are split: one op computes partial results, others combine them.
// - TargetStrategy::reductionSplits lists the kinds of split (SplitKind) that suit a device.
// - Choosers compute the sizes from extents and costs, and change no IR (ChooseSplit.h, ChooseSplitK.h).
// - applySplit() rewrites an op to given sizes, and decides nothing (ApplySplit.h).
// Contractions with split-K are tiled by their kernel's plan instead (see SplitTiling.h). Blocked summation, which
// splits long sums inside of one thread for the sake of rounding, is a pass of its own (see BlockedSummation.cpp).
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

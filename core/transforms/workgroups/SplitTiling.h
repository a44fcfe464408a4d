// Loops over workgroups in which several workgroups share the reduction of a tile.
#pragma once
#include "core/transforms/workgroups/KernelPlan.h"
#include "core/transforms/workgroups/reductions/ReductionSplit.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Tiles the roots of those `plans` that have a split, fuses their ops into the loops, and requests tiles of the ops
/// that combine the partial results. Those, and all other ops, have to be planned afterwards. Returns true if there
/// were any; each is reported in a remark. A root that cannot be tiled gets a TilingConfig that requests no split.
bool tileSplits(mlir::RewriterBase &rewriter, llvm::ArrayRef<KernelPlan> plans, const TargetStrategy &strategy);

/// The same for ops without a plan, in whose loops nothing else is computed.
void tileSplits(mlir::RewriterBase &rewriter, llvm::ArrayRef<WorkgroupSplit> splits, const TargetStrategy &strategy);

} // namespace fuselage

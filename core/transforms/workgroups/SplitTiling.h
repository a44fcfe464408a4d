// Kernels of contractions and long sums whose depth several workgroups share.
#pragma once
#include "core/transforms/workgroups/KernelPlan.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Tiles the roots of those `plans` that have a split, computes in their loops what they are computed from, and asks
/// for tiles of the ops that add up what the parts come to. Those, and all other ops, are to be planned then. True if
/// there were any; each is told in a remark. A root that refuses asks for no split from then on.
bool tileSplits(mlir::RewriterBase &rewriter, llvm::ArrayRef<KernelPlan> plans, const TargetStrategy &strategy);

/// Takes sums in `body` of more elements than one thread should add up, to results that are too few for all threads:
/// neighbouring threads add up what lies side by side, to partial results that are neighbours, and where there is much
/// of it, workgroups share the depth of those, in a loop that is tiled right away. What adds up their results is to be
/// planned with all other ops. Sums of what the dispatch computes stay as they are, and so do those for which somebody
/// asks for sizes.
void tileLongSums(mlir::RewriterBase &rewriter, mlir::Block &body, const TargetStrategy &strategy);

} // namespace fuselage

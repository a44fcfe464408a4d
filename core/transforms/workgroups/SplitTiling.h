// Kernels of contractions whose depth several workgroups share.
#pragma once
#include "core/transforms/workgroups/KernelPlan.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Tiles the roots of those `plans` that have a split, computes in their loops what they are computed from, and asks for tiles of
/// the ops that add up what the parts come to. Those, and all other ops, are to be planned then. True if there were any; each is
/// told in a remark. A root that refuses asks for no split from then on.
bool tileSplits(mlir::RewriterBase &rewriter, llvm::ArrayRef<KernelPlan> plans, const TilingPolicy &policy);

} // namespace fuselage

// How the pipeline rounds the tile sizes that are requested for a dispatch.
#pragma once
#include "core/transforms/workgroups/KernelPlan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Normalizes the ops of `body` for planKernels.
void prepareForPlan(mlir::RewriterBase &rewriter, mlir::Block &body, const TargetStrategy &strategy);

struct RequestedTiles {
  TileRule rule{};       ///< by the loops of the dispatch's shaping op; its anchor is null
  bool isRoot = false;   ///< the op is the root of its kernel
  int64_t rootBytes = 0; ///< bytes of one element of each of the root's results, added up
};

/// Returns how sizes on the shaping op of `dispatch` (TilingConfig.h) are rounded. Returns nullopt if they have no
/// effect: the pipeline rewrites the op to another one, or another op shapes its kernel. Does not change `dispatch`.
std::optional<RequestedTiles> requestedTiles(mlir::func::FuncOp dispatch, const TargetStrategy &strategy);

} // namespace fuselage

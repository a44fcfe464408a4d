#include "core/transforms/workgroups/RequestedTiles.h"
#include "core/transforms/workgroups/DispatchNormalization.h"
#include "core/transforms/workgroups/ImplicitGemm.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"

using namespace mlir;

namespace fuselage {

void prepareForPlan(RewriterBase &rewriter, Block &body, const TargetStrategy &strategy) {
  if (strategy.tilesConvolutionsAsContractions())
    convolutionsToContractions(rewriter, body);
  normalizeDispatch(rewriter, body);
}

std::optional<RequestedTiles> requestedTiles(func::FuncOp dispatch, const TargetStrategy &strategy) {
  if (!dispatch.getBody().hasOneBlock())
    return std::nullopt;
  OwningOpRef<func::FuncOp> copy(cast<func::FuncOp>(dispatch->clone()));
  linalg::LinalgOp op = shapingOp(*copy);
  if (!op)
    return std::nullopt;
  copy->walk([](Operation *each) { writeTilingConfig(each, {}); });
  unsigned loops = op.getNumLoops();
  writeTilingConfig(op, {.workgroup = SmallVector<int64_t>(loops, 1), .reduction = {}});
  IRRewriter rewriter(dispatch.getContext());
  prepareForPlan(rewriter, copy->getBody().front(), strategy);
  for (KernelPlan &plan : planKernels(copy->getBody().front(), strategy)) {
    auto anchor = dyn_cast_if_present<linalg::LinalgOp>(plan.rule.anchor);
    if (!anchor || sizesForLoops(readTilingConfig(anchor).workgroup, anchor.getNumLoops()).empty())
      continue;
    RequestedTiles tiles{.rule = std::move(plan.rule), .isRoot = plan.root.getOperation() == anchor.getOperation()};
    for (Type type : plan.root->getResultTypes())
      tiles.rootBytes += elementBytes(getElementTypeOrSelf(type));
    tiles.rule.anchor = nullptr;
    tiles.rule.ranges.resize(loops, 0);
    return tiles;
  }
  return std::nullopt;
}

} // namespace fuselage

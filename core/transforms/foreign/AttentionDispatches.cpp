#include "core/transforms/foreign/AttentionDispatches.h"
#include "core/transforms/attention/AttentionRegion.h"
#include "core/transforms/composites/DecomposeComposites.h"
#include "core/transforms/foreign/ForeignOps.h"

using namespace mlir;

namespace fuselage {

static bool isAttention(Operation *op) {
  return isForeign(op, "iree_linalg_ext.attention") && isa<flow::DispatchRegionOp>(op->getParentOp()) &&
         op->getNumResults() == 1;
}

/// Whether the attention is what the region is for: all else is elementwise, such as a cast of the result.
static bool isOfAttention(flow::DispatchRegionOp region) {
  return region->getNumResults() == 1 && llvm::all_of(region.getBody().front(), [](Operation &op) {
           return !isComputeOp(&op) || isElementwiseOp(&op);
         });
}

void dissolve(flow::DispatchRegionOp region) {
  Operation *end = region.getBody().front().getTerminator();
  for (Operation &op : llvm::make_early_inc_range(region.getBody().front().without_terminator()))
    op.moveBefore(region);
  region->replaceAllUsesWith(end->getOperands());
  region.erase();
}

void reopenAttentionDispatches(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  for (Operation *op : collectOps(module, isAttention)) {
    auto region = cast<flow::DispatchRegionOp>(op->getParentOp());
    if (!isOfAttention(region))
      continue;
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!function)
      continue;
    DeadOpEraser eraser(function);
    Operation *before = region->getPrevNode();
    dissolve(region);
    decomposeForeignComposite(op);
    // The last contraction of what came of it.
    for (Operation *part = before ? before->getNextNode() : &function.getFunctionBody().front().front(); part;
         part = part->getNextNode()) {
      auto contraction = dyn_cast<linalg::LinalgOp>(part);
      std::string reason;
      std::optional<Attention> attention = contraction ? matchAttention(contraction, reason) : std::nullopt;
      if (!attention)
        continue;
      rewriter.setInsertionPoint(part);
      buildAttentionRegion(rewriter, *attention, {});
      break;
    }
    eraser.erase(rewriter);
  }
}

} // namespace fuselage

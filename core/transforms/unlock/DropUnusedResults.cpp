#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace fuselage {
#define GEN_PASS_DEF_DROPUNUSEDRESULTSPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

/// Whether somebody reads some results of the op, but not all.
bool isReadInPart(Operation *op) {
  return isa<linalg::GenericOp>(op) && op->getNumResults() > 1 &&
         llvm::any_of(op->getResults(), [](OpResult result) { return result.use_empty(); });
}

struct DropUnusedResultsPass : impl::DropUnusedResultsPassBase<DropUnusedResultsPass> {
  void runOnOperation() override {
    DeadOpEraser eraser(getOperation());
    IRRewriter rewriter(&getContext());
    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    applyPatternsTo(readOpsOutsideDispatches(getOperation(), isReadInPart), std::move(patterns));
    eraser.erase(rewriter);
  }
};

} // namespace
} // namespace fuselage

// fuselage-fuse-within-dispatches: elementwise chains become one op, dequantizations stay tiles.
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/dispatch/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEWITHINDISPATCHESPASS
#include "core/transforms/dispatch/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

bool isToBeMerged(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  return producer && producer->hasOneUse() && !isDequantization(producer);
}

struct FuseWithinDispatchesPass : impl::FuseWithinDispatchesPassBase<FuseWithinDispatchesPass> {
  void runOnOperation() override {
    // The patterns of mlir::createLinalgElementwiseOpFusionPass.
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, isToBeMerged);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, isToBeMerged);
    tensor::populateBubbleUpExpandShapePatterns(patterns);
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, &getContext());
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    getContext().getLoadedDialect<linalg::LinalgDialect>()->getCanonicalizationPatterns(patterns);
    linalg::populateConstantFoldLinalgOperations(patterns, isToBeMerged);
    // Not reaching a fixpoint within the driver's limit leaves valid IR.
    (void)applyPatternsGreedily(getOperation(), std::move(patterns), GreedyRewriteConfig().setUseTopDownTraversal());
  }
};

} // namespace
} // namespace fuselage

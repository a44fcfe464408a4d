// fuselage-fuse-within-dispatches: elementwise chains become one op, dequantizations stay tiles.
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/dispatch/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

/// In its place: where the rewriter stood, an op may be gone. `op` may be null.
void generalize(RewriterBase &rewriter, linalg::TransposeOp op) {
  if (!op)
    return;
  rewriter.setInsertionPoint(op);
  (void)linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op.getOperation()));
}

/// An unpack as the transpose and the reshape that it is.
void openUnpack(RewriterBase &rewriter, linalg::UnPackOp op) {
  rewriter.setInsertionPoint(op);
  Value result = op->getResult(0);
  SmallVector<OpOperand *> uses = llvm::map_to_vector(result.getUses(), [](OpOperand &use) { return &use; });
  FailureOr<linalg::LowerUnPackOpResult> opened = linalg::lowerUnPack(rewriter, op);
  if (failed(opened) || !opened->collapseShapeOp)
    return;
  // Nothing is cut off at the end, so that the copy into the destination copies all.
  for (OpOperand *use : uses)
    if (use->get().getType() == opened->collapseShapeOp->getResult(0).getType())
      use->set(opened->collapseShapeOp->getResult(0));
  generalize(rewriter, opened->transposeOp);
}

/// A pack as the reshape and the transpose that it is.
void openPack(RewriterBase &rewriter, linalg::PackOp op) {
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LowerPackResult> opened = linalg::lowerPack(rewriter, op);
  if (succeeded(opened))
    generalize(rewriter, opened->transposeOp);
}

/// Lets elementwise ops around packs and unpacks become one op with them. What packs the result of
/// a contraction stays: to split the loops of that would cost it its form.
void openPacking(Operation *function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<Operation *> packing;
  forEachDispatchBody(function, [&](Block &body) {
    bool isLed = llvm::any_of(body, [](Operation &op) { return isComputeOp(&op) && isRootKind(kindOf(&op)); });
    for (Operation &op : body)
      if (isPerfectPacking(&op) && (isa<linalg::UnPackOp>(op) || !isLed))
        packing.push_back(&op);
  });
  for (Operation *op : packing)
    if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      openUnpack(rewriter, unpack);
    else
      openPack(rewriter, cast<linalg::PackOp>(op));
}

struct FuseWithinDispatchesPass : impl::FuseWithinDispatchesPassBase<FuseWithinDispatchesPass> {
  void runOnOperation() override {
    openPacking(getOperation());
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

#include "core/ir/ops/CollectOps.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEINTOLOOPSPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseIntoLoopsPass : impl::FuseIntoLoopsPassBase<FuseIntoLoopsPass> {
  void runOnOperation() override;

private:
  Operation *fuseConsumer(RewriterBase &rewriter, scf::ForallOp loop);
  bool fuseProducer(RewriterBase &rewriter, scf::ForallOp loop);
};

/// Whether upstream may tile the op along the tiles of others: it knows linalg's ops on tensors
/// best.
bool isTiledByOthers(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.hasPureTensorSemantics() && op->getNumResults() > 0 && isOutsideDispatch(op) &&
         !op->getParentOfType<scf::ForallOp>();
}

/// The only op that reads what the loop computes; null if there are several, or the function
/// returns it.
Operation *onlyReader(scf::ForallOp loop) {
  Operation *reader = nullptr;
  for (Operation *user : loop->getUsers()) {
    if (reader && reader != user)
      return nullptr;
    reader = user;
  }
  return reader && reader->getBlock() == loop->getBlock() && isTiledByOthers(reader) ? reader : nullptr;
}

/// The loop that computes the consumer's tiles besides its own; null if upstream refuses.
Operation *FuseIntoLoopsPass::fuseConsumer(RewriterBase &rewriter, scf::ForallOp loop) {
  Operation *consumer = onlyReader(loop);
  if (!consumer)
    return nullptr;
  // What the consumer reads besides has to be there before the loop.
  for (Value operand : consumer->getOperands())
    if (Operation *producer = operand.getDefiningOp();
        producer && producer != loop && producer->getBlock() == loop->getBlock() && loop->isBeforeInBlock(producer)) {
      if (!isa<tensor::EmptyOp>(producer) || producer->getNumOperands() > 0)
        return nullptr;
      rewriter.moveOpBefore(producer, loop);
    }
  SmallVector<LoopLikeOpInterface> loops{loop};
  rewriter.setInsertionPoint(consumer);
  FailureOr<scf::SCFFuseConsumerOfSliceResult> fused = scf::tileAndFuseConsumer(rewriter, consumer, loops);
  if (failed(fused) || fused->tiledOps.empty())
    return nullptr;
  if (consumer->use_empty())
    rewriter.eraseOp(consumer);
  return fused->tiledOps.front()->getParentOfType<scf::ForallOp>();
}

/// One op whose result only slices in the loop read is computed there.
bool FuseIntoLoopsPass::fuseProducer(RewriterBase &rewriter, scf::ForallOp loop) {
  auto isFused = [&](Operation *op) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
    Operation *producer = slice ? slice.getSource().getDefiningOp() : nullptr;
    return producer && producer->hasOneUse() && producer->getBlock() == loop->getBlock() && isTiledByOthers(producer) &&
           !isCheapProducer(producer);
  };
  for (Operation *slice : collectOps(loop, isFused)) {
    SmallVector<LoopLikeOpInterface> loops{loop};
    rewriter.setInsertionPoint(slice);
    Operation *producer = slice->getOperand(0).getDefiningOp();
    if (!scf::tileAndFuseProducerOfSlice(rewriter, cast<tensor::ExtractSliceOp>(slice), loops))
      continue;
    if (slice->use_empty())
      rewriter.eraseOp(slice);
    if (producer->use_empty())
      rewriter.eraseOp(producer);
    return true;
  }
  return false;
}

void FuseIntoLoopsPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  auto isLoop = [](Operation *op) {
    return isa<scf::ForallOp>(op) && op->getNumResults() > 0 && isOutsideDispatch(op) &&
           !op->getParentOfType<scf::ForallOp>();
  };
  for (Operation *found : collectOps(getOperation(), isLoop)) {
    Operation *loop = found;
    while (fuseProducer(rewriter, cast<scf::ForallOp>(loop))) {
    }
    while (Operation *wider = fuseConsumer(rewriter, cast<scf::ForallOp>(loop)))
      loop = wider;
    // What only the fused ops read is no result any more.
    RewritePatternSet patterns(&getContext());
    scf::ForallOp::getCanonicalizationPatterns(patterns, &getContext());
    (void)applyOpPatternsGreedily(loop, std::move(patterns));
  }
}

} // namespace
} // namespace fuselage

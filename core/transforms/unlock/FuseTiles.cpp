#include "core/dialects/flow/Flow.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSETILESPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseTilesPass : impl::FuseTilesPassBase<FuseTilesPass> {
  void runOnOperation() override;
};

/// The op that alone is read for an input of `op` that is not cheap to have, each element of it
/// once; null if there are several, or others read it, too.
linalg::LinalgOp onlyProducer(linalg::LinalgOp op) {
  linalg::LinalgOp found;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Operation *producer = input->get().getDefiningOp();
    if (!producer || !isComputeOp(producer) || isCheapProducer(producer))
      continue;
    auto structured = dyn_cast<linalg::LinalgOp>(producer);
    if (found || !structured || !producer->hasOneUse() || producer->getBlock() != op->getBlock() ||
        !isOutsideDispatch(producer) || !op.getMatchingIndexingMap(input).isPermutation())
      return {};
    found = structured;
  }
  return found;
}

/// The reduction, elementwise ops before it and the contraction or the like that they follow,
/// from the last op on; empty if it follows none.
SmallVector<linalg::LinalgOp> chainOf(linalg::LinalgOp reduction) {
  SmallVector<linalg::LinalgOp> chain{reduction};
  while (linalg::LinalgOp producer = onlyProducer(chain.back())) {
    AffineMap written = producer.getIndexingMapsArray().back();
    if (producer->getNumResults() != 1 || !written.isProjectedPermutation())
      return {};
    chain.push_back(producer);
    if (isRootKind(kindOf(producer)))
      return chain;
    if (!isElementwiseOp(producer))
      return {};
  }
  return {};
}

/// Adds, producers first, what the op reads that is cheap to have again.
void addCheapProducers(Operation *op, llvm::SetVector<Operation *> &cheap) {
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp();
        producer && isCheapProducer(producer) && !cheap.contains(producer)) {
      addCheapProducers(producer, cheap);
      cheap.insert(producer);
    }
}

void FuseTilesPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  // Only those are asked later: wrapping erases what is cheap to have again.
  SmallVector<linalg::LinalgOp> reductions = linalgOpsOutsideDispatches(getOperation());
  llvm::erase_if(reductions,
                 [](linalg::LinalgOp op) { return kindOf(op) != DispatchKind::Reduction || op->getNumResults() != 1; });
  // From the last one on: what one takes in is in no other's dispatch.
  for (linalg::LinalgOp op : llvm::reverse(reductions)) {
    if (!isOutsideDispatch(op))
      continue;
    SmallVector<linalg::LinalgOp> chain = chainOf(op);
    if (chain.empty())
      continue;
    DispatchGroup group{.root = chain.back(), .kind = kindOf(chain.back()), .ops = {}, .clonedProducers = {}};
    llvm::SetVector<Operation *> cheap;
    for (linalg::LinalgOp member : llvm::reverse(chain)) {
      group.ops.push_back(member);
      addCheapProducers(member, cheap);
    }
    group.clonedProducers = llvm::to_vector(cheap);
    if (failed(wrapDispatch(rewriter, group)))
      op->emitRemark("is not fused with the contraction that it reads: another op stands between them");
  }
}

} // namespace
} // namespace fuselage

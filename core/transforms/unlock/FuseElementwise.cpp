#include "core/transforms/unlock/ElementwiseFusion.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEELEMENTWISEPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseElementwisePass : impl::FuseElementwisePassBase<FuseElementwisePass> {
  using FuseElementwisePassBase::FuseElementwisePassBase;
  void runOnOperation() override;

private:
  OpOperand *findFusable(linalg::LinalgOp consumer, llvm::SmallDenseSet<Value> &refused);
};

/// Whether the op reads what a contraction or the like computes: then it belongs to that one's
/// dispatch.
bool followsRoot(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && isComputeOp(producer) && isRootKind(kindOf(producer));
  });
}

/// Elementwise ops take producers in; so do plain reductions, unless the producer would miss its
/// place after a contraction.
bool takesIn(linalg::LinalgOp consumer, Operation *producer) {
  if (isElementwiseOp(consumer))
    return true;
  return kindOf(consumer) == DispatchKind::Reduction && !followsRoot(producer);
}

/// The next operand whose producer can be merged in. Remarks once where one cannot.
OpOperand *FuseElementwisePass::findFusable(linalg::LinalgOp consumer, llvm::SmallDenseSet<Value> &refused) {
  for (OpOperand *input : consumer.getDpsInputOperands()) {
    auto producer = input->get().getDefiningOp<linalg::LinalgOp>();
    if (!producer || !isElementwiseOp(producer) || !isOutsideDispatch(producer) || refused.contains(input->get()) ||
        isa<linalg::FillOp>(producer.getOperation()) || !takesIn(consumer, producer))
      continue;
    std::string reason = whyNotMerged(*input, maxOperands);
    llvm::SmallPtrSet<Operation *, 4> users(llvm::from_range, producer->getUsers());
    if (reason.empty() && users.size() > 1)
      reason = std::to_string(users.size()) + " ops read it; run fuselage-fuse-multi-use";
    if (reason.empty())
      return input;
    refused.insert(input->get());
    consumer->emitRemark("operand #") << input->getOperandNumber() << " is computed by an op of its own: " << reason;
  }
  return nullptr;
}

void FuseElementwisePass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  // Producers come first: when a consumer's turn comes, its producers are merged already.
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation())) {
    linalg::LinalgOp consumer = op;
    llvm::SmallDenseSet<Value> refused;
    while (OpOperand *input = findFusable(consumer, refused)) {
      FailureOr<linalg::GenericOp> merged = mergeProducer(rewriter, *input);
      if (failed(merged))
        break;
      consumer = *merged;
    }
  }
}

} // namespace
} // namespace fuselage

#include "core/dialects/flow/Flow.h"
#include "core/transforms/unlock/Passes.h"
#include "core/transforms/unlock/SiblingFusion.h"
#include "llvm/ADT/MapVector.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSESIBLINGSPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseSiblingsPass : impl::FuseSiblingsPassBase<FuseSiblingsPass> {
  using FuseSiblingsPassBase::FuseSiblingsPassBase;
  void runOnOperation() override;
};

/// Whether a dispatch could take the op in after what it reads.
bool followsOther(linalg::LinalgOp op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    Operation *source = operand.getDefiningOp();
    return source && isComputeOp(source) && !isCheapProducer(source);
  });
}

bool isAlone(linalg::LinalgOp op) {
  return isElementwiseOp(op) && !isCheapProducer(op) && !followsOther(op) && !op->use_empty() &&
         llvm::none_of(op.getDpsInitsMutable(), [&](OpOperand &init) { return op.payloadUsesValueFromOperand(&init); });
}

/// Whether only what takes no time of its own stands between the two.
bool isBeside(Operation *first, Operation *second) {
  if (first->getBlock() != second->getBlock())
    return false;
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
    if (isa<flow::DispatchRegionOp>(op) || op->getNumRegions() > (isa<linalg::LinalgOp, tensor::PadOp>(op) ? 1 : 0) ||
        (isComputeOp(op) && !isElementwiseOp(op) && !isCheapProducer(op)))
      return false;
  return true;
}

OpOperand &findRead(linalg::LinalgOp op, Value value) {
  return **llvm::find_if(op.getDpsInputOperands(), [&](OpOperand *input) { return input->get() == value; });
}

void FuseSiblingsPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  DeadOpEraser eraser(getOperation());
  // In program order by what they read; an op that is merged has gone from all lists.
  llvm::MapVector<Value, SmallVector<linalg::LinalgOp>> readers;
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation()))
    if (isAlone(op))
      for (OpOperand *input : op.getDpsInputOperands())
        if (isa<RankedTensorType>(input->get().getType()) && !llvm::is_contained(readers[input->get()], op))
          readers[input->get()].push_back(op);
  llvm::DenseSet<Operation *> merged;
  for (auto &[value, ops] : readers) {
    std::optional<Siblings> chosen;
    for (linalg::LinalgOp op : ops) {
      if (merged.contains(op))
        continue;
      if (!chosen)
        chosen.emplace(op, maxOperands);
      else if (isBeside(chosen->ops().back(), op))
        (void)chosen->join(rewriter, op, findRead(chosen->ops().front(), value));
    }
    if (!chosen || chosen->ops().size() < 2)
      continue;
    merged.insert_range(llvm::map_range(chosen->ops(), [](linalg::LinalgOp op) { return op.getOperation(); }));
    chosen->merge(rewriter);
  }
  eraser.erase(rewriter);
}

} // namespace
} // namespace fuselage

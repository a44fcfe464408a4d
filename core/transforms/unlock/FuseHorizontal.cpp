#include "core/transforms/unlock/Passes.h"
#include "core/transforms/unlock/SiblingFusion.h"
#include "llvm/ADT/MapVector.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEHORIZONTALPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseHorizontalPass : impl::FuseHorizontalPassBase<FuseHorizontalPass> {
  using FuseHorizontalPassBase::FuseHorizontalPassBase;
  void runOnOperation() override;

private:
  void fuseContractions(RewriterBase &rewriter);
  void fuseEpilogues(RewriterBase &rewriter);
  bool fuse(RewriterBase &rewriter, ArrayRef<linalg::LinalgOp> siblings, OpOperand &shared,
            SmallVectorImpl<Operation *> &merged);

  llvm::DenseSet<Operation *> gone_{}; ///< merged ops; only asked for by address
};

/// Whether two ops that write in different orders have elementwise ops after them: those follow an op that
/// writes all its results in one order.
bool losesEpilogue(linalg::LinalgOp a, linalg::LinalgOp b) {
  auto mapOf = [](linalg::LinalgOp op) { return op.getMatchingIndexingMap(op.getDpsInitOperand(0)); };
  return mapOf(a) != mapOf(b) && llvm::any_of(ArrayRef{a, b}, [](linalg::LinalgOp op) {
           return op->hasOneUse() && isElementwiseOp(*op->user_begin());
         });
}

/// Merges the first op with as many others as possible. Remarks at those that are left out. `merged`:
/// the ops that are gone then.
bool FuseHorizontalPass::fuse(RewriterBase &rewriter, ArrayRef<linalg::LinalgOp> siblings, OpOperand &shared,
                              SmallVectorImpl<Operation *> &merged) {
  Siblings chosen(siblings.front(), maxOperands);
  for (linalg::LinalgOp op : siblings.drop_front()) {
    std::string reason;
    if (losesEpilogue(siblings.front(), op))
      reason = "it writes its result in another order, and what follows one of them could not share the dispatch";
    else
      reason = chosen.join(rewriter, op, shared);
    if (!reason.empty())
      op->emitRemark("is not merged with the op beside it: ") << reason;
  }
  merged.assign(chosen.ops().begin(), chosen.ops().end());
  if (merged.size() < 2)
    return false;
  chosen.merge(rewriter);
  return true;
}

/// The operand through which the op reads what is made of `origin`.
OpOperand *findRead(linalg::LinalgOp op, Value origin) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (originOf(input->get()) == origin)
      return input;
  return nullptr;
}

void FuseHorizontalPass::fuseContractions(RewriterBase &rewriter) {
  // By what they read; in program order. Operands by number: merging erases ops of other entries.
  llvm::MapVector<Value, SmallVector<std::pair<Operation *, unsigned>>> readers;
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation()))
    if (isContraction(op))
      for (OpOperand *input : op.getDpsInputOperands())
        readers[originOf(input->get())].push_back({op, input->getOperandNumber()});
  llvm::DenseSet<Operation *> merged;
  for (auto &[value, reads] : readers) {
    SmallVector<linalg::LinalgOp> siblings;
    OpOperand *shared = nullptr;
    for (auto [op, operand] : reads) {
      if (merged.contains(op) || llvm::is_contained(siblings, op) ||
          (shared && op->getBlock() != shared->getOwner()->getBlock()))
        continue;
      shared = shared ? shared : &op->getOpOperand(operand);
      siblings.push_back(cast<linalg::LinalgOp>(op));
    }
    // Keys and values may be alike where the queries differ from both.
    while (siblings.size() > 1) {
      SmallVector<Operation *> chosen;
      if (fuse(rewriter, siblings, *shared, chosen))
        merged.insert(chosen.begin(), chosen.end());
      llvm::erase_if(siblings, [&](linalg::LinalgOp op) { return llvm::is_contained(chosen, op); });
      shared = siblings.empty() ? nullptr : findRead(siblings.front(), value);
      if (!shared)
        break; // it reads what was merged before
    }
  }
}

/// Elementwise ops that may become one: each reads a different result of an op with several, or all read the one
/// result of a contraction, convolution or reduction. In program order.
SmallVector<linalg::LinalgOp> epiloguesOf(linalg::LinalgOp op) {
  bool hasSeveral = op->getNumResults() > 1;
  SmallVector<linalg::LinalgOp> siblings;
  if (!hasSeveral && !isRootKind(kindOf(op)))
    return siblings;
  for (OpResult result : op->getResults())
    for (Operation *user : result.getUsers()) {
      auto reader = dyn_cast<linalg::LinalgOp>(user);
      if (reader && (!hasSeveral || result.hasOneUse()) && isElementwiseOp(reader) && !isCheapProducer(reader) &&
          isOutsideDispatch(reader) && reader->getBlock() == op->getBlock() && !llvm::is_contained(siblings, reader))
        siblings.push_back(reader);
    }
  llvm::sort(siblings, [](linalg::LinalgOp a, linalg::LinalgOp b) { return a->isBeforeInBlock(b); });
  return siblings;
}

/// Elementwise ops after one op, each for itself.
void FuseHorizontalPass::fuseEpilogues(RewriterBase &rewriter) {
  // From the last op to the first: what is merged stands after all that is still to come.
  SmallVector<linalg::LinalgOp> ops = linalgOpsOutsideDispatches(getOperation());
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    if (gone_.contains(op))
      continue;
    SmallVector<linalg::LinalgOp> siblings = epiloguesOf(op);
    if (siblings.size() < 2)
      continue;
    OpOperand *shared = nullptr;
    for (OpOperand &operand : siblings.front()->getOpOperands())
      if (operand.get().getDefiningOp() == op)
        shared = &operand;
    SmallVector<Operation *> merged;
    if (fuse(rewriter, siblings, *shared, merged))
      gone_.insert_range(merged);
  }
}

void FuseHorizontalPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  DeadOpEraser eraser(getOperation());
  fuseContractions(rewriter);
  gone_.clear(); // addresses of this pass's ops only
  fuseEpilogues(rewriter);
  eraser.erase(rewriter);
}

} // namespace
} // namespace fuselage

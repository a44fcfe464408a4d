#include "core/transforms/unlock/ElementwiseFusion.h"
#include "core/transforms/unlock/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEMULTIUSEPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseMultiUsePass : impl::FuseMultiUsePassBase<FuseMultiUsePass> {
  using FuseMultiUsePassBase::FuseMultiUsePassBase;
  void runOnOperation() override;

private:
  void duplicate(RewriterBase &rewriter, linalg::LinalgOp producer, ArrayRef<Operation *> users);
  void share(RewriterBase &rewriter, linalg::LinalgOp producer, ArrayRef<Operation *> users);
};

/// The ops that read `op`, in program order; empty if they stand in several blocks.
SmallVector<Operation *> usersInOrder(Operation *op) {
  llvm::SmallSetVector<Operation *, 4> users(op->user_begin(), op->user_end());
  SmallVector<Operation *> sorted = users.takeVector();
  if (!llvm::all_of(sorted, [&](Operation *user) { return user->getBlock() == op->getBlock(); }))
    return {};
  llvm::sort(sorted, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return sorted;
}

/// The operand through which `user` reads `op`.
OpOperand *findRead(Operation *user, Operation *op) {
  for (OpOperand &operand : user->getOpOperands())
    if (operand.get().getDefiningOp() == op)
      return &operand;
  return nullptr;
}

/// Each user computes the producer for itself.
void FuseMultiUsePass::duplicate(RewriterBase &rewriter, linalg::LinalgOp producer, ArrayRef<Operation *> users) {
  for (Operation *user : users) {
    OpOperand *read = findRead(user, producer);
    rewriter.setInsertionPoint(user);
    Operation *copy = rewriter.clone(*producer);
    rewriter.modifyOpInPlace(user, [&] {
      for (OpOperand &operand : user->getOpOperands())
        if (operand.get().getDefiningOp() == producer)
          operand.set(copy->getResult(cast<OpResult>(operand.get()).getResultNumber()));
    });
    if (failed(mergeProducer(rewriter, *read)))
      user->emitRemark("reads a copy of its producer that could not be merged into it");
  }
}

/// The first user computes the producer and hands its value on to the others, which are merged into
/// the same op one after the other.
void FuseMultiUsePass::share(RewriterBase &rewriter, linalg::LinalgOp producer, ArrayRef<Operation *> users) {
  Operation *source = producer;
  for (Operation *user : users) {
    OpOperand *read = findRead(user, source);
    if (!read)
      return;
    // What reads the op so far must come after the next user, where the merged op will stand.
    bool isLate = llvm::all_of(source->getUsers(), [&](Operation *reader) {
      return reader == user || (reader->getBlock() == user->getBlock() && user->isBeforeInBlock(reader));
    });
    std::string reason = isLate ? whyNotMerged(*read, maxOperands) : "an op between the users reads one of them";
    bool isHandedOn = llvm::any_of(source->getUsers(), [&](Operation *reader) { return reader != user; });
    if (reason.empty() && isHandedOn)
      reason = whyNotShared(*read);
    if (reason.empty()) {
      FailureOr<linalg::GenericOp> merged = mergeProducer(rewriter, *read, /*shareResults=*/true);
      if (failed(merged))
        return;
      source = *merged;
      continue;
    }
    user->emitRemark("operand #") << read->getOperandNumber() << " is computed by an op of its own: " << reason;
    return;
  }
}

void FuseMultiUsePass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  DeadOpEraser eraser(getOperation());
  // From the last producer to the first: what is duplicated is whole by then.
  SmallVector<linalg::LinalgOp> ops = linalgOpsOutsideDispatches(getOperation());
  for (linalg::LinalgOp producer : llvm::reverse(ops)) {
    if (!isElementwiseOp(producer) || isa<linalg::FillOp>(producer.getOperation()) || producer->getNumResults() != 1 ||
        producer->use_empty())
      continue;
    SmallVector<Operation *> users = usersInOrder(producer);
    auto isReader = [&](Operation *user) {
      auto consumer = dyn_cast<linalg::LinalgOp>(user);
      return consumer && isElementwiseOp(consumer) && isOutsideDispatch(consumer) &&
             whyNotMerged(*findRead(user, producer), maxOperands).empty();
    };
    SmallVector<Operation *> readers = llvm::filter_to_vector(users, isReader);
    if (users.size() < 2 || readers.empty())
      continue;
    if (readers.size() < users.size()) {
      producer->emitRemark("stays an op of its own: ")
          << users.size() - readers.size() << " of " << users.size() << " ops that read it cannot take it in";
      continue;
    }
    if (isCheapToRepeat(producer, maxDuplicated))
      duplicate(rewriter, producer, readers);
    else
      share(rewriter, producer, readers);
  }
  eraser.erase(rewriter);
}

} // namespace
} // namespace fuselage

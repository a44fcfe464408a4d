#include "core/dialects/flow/Flow.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "core/transforms/unlock/ReshapePropagation.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEPACKINGPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FusePackingPass : impl::FusePackingPassBase<FusePackingPass> {
  void runOnOperation() override;
};

/// Elementwise work that moves along with a change of layout.
bool isElementwiseWork(Operation *op) {
  return op && isElementwiseOp(op) && !isCheapProducer(op) && isOutsideDispatch(op);
}

/// The op in `block` that computes one of the operands, if only `op` reads it and `isWanted` is true of it.
Operation *onlyReadProducer(Operation *op, llvm::function_ref<bool(Operation *)> isWanted) {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (producer && producer->getBlock() == op->getBlock() && producer->hasOneUse() && isWanted(producer))
      return producer;
  }
  return nullptr;
}

/// A pack, or a pad that is stored: what makes its source may be before it. A pad that other ops compute with
/// is theirs.
bool endsDispatch(Operation *op) {
  if (!isa<linalg::PackOp, tensor::PadOp>(op) || !isOutsideDispatch(op))
    return false;
  return isa<linalg::PackOp>(op) || llvm::none_of(op->getUsers(), isComputeOp);
}

/// The ops before `last`, and it: elementwise ones, then the contraction or the like that they follow, or an
/// unpack. In program order.
SmallVector<Operation *> chainBefore(Operation *last) {
  auto isLead = [](Operation *op) {
    return isOutsideDispatch(op) &&
           (isa<linalg::UnPackOp>(op) || (isa<linalg::LinalgOp>(op) && isComputeOp(op) && isRootKind(kindOf(op))));
  };
  SmallVector<Operation *> chain{last};
  while (Operation *producer = onlyReadProducer(chain.back(), isElementwiseWork))
    chain.push_back(producer);
  if (Operation *lead = onlyReadProducer(chain.back(), isLead))
    chain.push_back(lead);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

/// An unpack and the elementwise ops after it.
SmallVector<Operation *> chainBehind(Operation *unpack) {
  SmallVector<Operation *> chain{unpack};
  while (chain.back()->hasOneUse() && isElementwiseWork(*chain.back()->user_begin()) &&
         chain.back()->user_begin()->getBlock() == unpack->getBlock())
    chain.push_back(*chain.back()->user_begin());
  return chain;
}

/// Adds, producers first, what is computed before `op` within the dispatch for free.
void addClones(Operation *op, ArrayRef<Operation *> members, llvm::SetVector<Operation *> &clones) {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (!producer || llvm::is_contained(members, producer) || clones.contains(producer) || !isCheapProducer(producer))
      continue;
    addClones(producer, members, clones);
    clones.insert(producer);
  }
}

void FusePackingPass::runOnOperation() {
  // What is unpacked, split and then computed with is computed with, then split.
  propagateReshapes(getOperation(), ReshapeDirection::Down, ReshapeMethod::FewerLoops,
                    [](Operation *reshape, linalg::LinalgOp consumer) {
                      return isElementwiseOp(consumer) && reshape->getOperand(0).getDefiningOp<linalg::UnPackOp>();
                    });
  SmallVector<Operation *> ends, unpacks;
  getOperation()->walk([&](Operation *op) {
    if (endsDispatch(op))
      ends.push_back(op);
    else if (isa<linalg::UnPackOp>(op) && isOutsideDispatch(op))
      unpacks.push_back(op);
  });
  IRRewriter rewriter(&getContext());
  auto wrap = [&](SmallVector<Operation *> chain) {
    if (chain.size() < 2)
      return;
    llvm::SetVector<Operation *> clones;
    for (Operation *op : chain)
      addClones(op, chain, clones);
    DispatchGroup group{
        .root = chain.front(), .kind = kindOf(chain.front()), .ops = chain, .clonedProducers = llvm::to_vector(clones)};
    (void)wrapDispatch(rewriter, group);
  };
  for (Operation *last : ends)
    wrap(chainBefore(last));
  for (Operation *unpack : unpacks)
    if (isOutsideDispatch(unpack)) {
      SmallVector<Operation *> chain = chainBefore(unpack);
      llvm::append_range(chain, ArrayRef(chainBehind(unpack)).drop_front());
      wrap(std::move(chain));
    }
}

} // namespace
} // namespace fuselage

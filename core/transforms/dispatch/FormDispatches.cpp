// fuselage-form-dispatches: plans the dispatches of a function, then wraps each.
#include "core/dialects/flow/Flow.h"
#include "core/transforms/dispatch/DispatchPlan.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/dispatch/DispatchSizes.h"
#include "core/transforms/dispatch/Passes.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>

namespace fuselage {
#define GEN_PASS_DEF_FORMDISPATCHESPASS
#include "core/transforms/dispatch/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Ops that nobody reads once each dispatch that does has a clone.
struct ErasedOps : RewriterBase::ForwardingListener {
  using ForwardingListener::ForwardingListener;
  void notifyOperationErased(Operation *op) override {
    ops.insert(op);
    ForwardingListener::notifyOperationErased(op);
  }
  llvm::DenseSet<Operation *> ops;
};

/// An op that is cloned may be of a group of its own, too: what is gone needs no dispatch.
DispatchGroup withoutErased(const DispatchGroup &group, const ErasedOps &erased) {
  auto isErased = [&](Operation *op) { return erased.ops.contains(op); };
  DispatchGroup left = group;
  llvm::erase_if(left.ops, isErased);
  llvm::erase_if(left.clonedProducers, isErased);
  if (!left.ops.empty() && isErased(left.root))
    left.root = left.ops.front();
  return left;
}

/// Groups that clone an op come before the one that has it: it still stands outside then.
SmallVector<const DispatchGroup *> inWrappingOrder(ArrayRef<DispatchGroup> groups) {
  llvm::DenseMap<Operation *, SmallVector<const DispatchGroup *, 1>> clonedBy;
  for (const DispatchGroup &group : groups)
    for (Operation *op : group.clonedProducers)
      clonedBy[op].push_back(&group);
  llvm::SmallSetVector<const DispatchGroup *, 16> order;
  llvm::DenseSet<const DispatchGroup *> seen;
  SmallVector<std::pair<const DispatchGroup *, bool>> pending;
  for (const DispatchGroup &group : llvm::reverse(groups))
    pending.push_back({&group, false});
  while (!pending.empty()) {
    auto [group, isExpanded] = pending.pop_back_val();
    if (isExpanded) {
      order.insert(group);
      continue;
    }
    if (!seen.insert(group).second)
      continue;
    pending.push_back({group, true});
    for (Operation *op : group->ops)
      for (const DispatchGroup *reader : clonedBy.lookup(op))
        pending.push_back({reader, false});
  }
  return order.takeVector();
}

struct FormDispatchesPass : fuselage::impl::FormDispatchesPassBase<FormDispatchesPass> {
  using FormDispatchesPassBase::FormDispatchesPassBase;

  void runOnOperation() override {
    llvm::Expected<FusionPolicy> parsed = parseFusionPolicy(policy);
    if (!parsed) {
      getOperation()->emitError(llvm::toString(parsed.takeError()));
      return signalPassFailure();
    }
    parsed->fuseElementwiseConsumers &= fuseConsumers;
    parsed->cloneCheapProducers &= cloneProducers;
    parsed->fuseDestinations &= cloneProducers;
    parsed->fuseProducers &= cloneProducers;
    parsed->wrapLeftovers &= wrapLeftovers;
    IRRewriter rewriter(&getContext());
    formDispatches(rewriter, getOperation(), *parsed);
  }
};

} // namespace

void fuselage::formDispatches(RewriterBase &rewriter, FunctionOpInterface function, const FusionPolicy &policy) {
  resolveSizes(rewriter, function);
  DispatchPlan plan = planFunction(function.getFunctionBody(), policy);
  for (const std::vector<Operation *> &order : plan.orders)
    for (Operation *op : order)
      op->moveBefore(op->getBlock(), op->getBlock()->end());
  auto *around = static_cast<RewriterBase::Listener *>(rewriter.getListener());
  ErasedOps erased(around);
  rewriter.setListener(&erased);
  for (const DispatchGroup *group : inWrappingOrder(plan.groups)) {
    DispatchGroup left = withoutErased(*group, erased);
    if (!left.ops.empty() && failed(wrapDispatch(rewriter, left)))
      left.root->emitWarning("stays outside of dispatches: the ops of its group cannot stand "
                             "at one place");
  }
  rewriter.setListener(around);
}

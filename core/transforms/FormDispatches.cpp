// fuselage-form-dispatches: plans the dispatches of a function, then wraps each.
#include "core/dialects/Flow.h"
#include "core/transforms/DispatchPlan.h"
#include "core/transforms/DispatchPredicates.h"
#include "core/transforms/DispatchSizes.h"
#include "core/transforms/Passes.h"
#include <algorithm>

namespace fuselage {
#define GEN_PASS_DEF_FORMDISPATCHESPASS
#include "core/transforms/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

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
    parsed->wrapLeftovers &= wrapLeftovers;
    IRRewriter rewriter(&getContext());
    resolveSizes(rewriter);
    DispatchPlan plan = planFunction(getOperation().getFunctionBody(), *parsed);
    for (const std::vector<Operation *> &order : plan.orders)
      for (Operation *op : order)
        op->moveBefore(op->getBlock(), op->getBlock()->end());
    // Leaders that other groups clone go last, while they still stand outside.
    llvm::DenseSet<Operation *> cloned;
    for (const DispatchGroup &group : plan.groups)
      cloned.insert(group.clonedProducers.begin(), group.clonedProducers.end());
    std::stable_partition(
        plan.groups.begin(), plan.groups.end(),
        [&](const DispatchGroup &group) { return !cloned.contains(group.root); });
    for (const DispatchGroup &group : plan.groups)
      if (failed(wrapDispatch(rewriter, group)))
        group.root->emitWarning("stays outside of dispatches: the ops of its group cannot stand "
                                "at one place");
  }

private:
  /// Asking for the size of a result is no use of its data.
  void resolveSizes(RewriterBase &rewriter) {
    SmallVector<Operation *> dims;
    getOperation()->walk([&](tensor::DimOp dim) {
      if (findSizeSource(dim) && !dim->getParentOfType<flow::DispatchRegionOp>())
        dims.push_back(dim);
    });
    for (Operation *dim : dims)
      resolveSize(rewriter, dim);
  }
};

} // namespace

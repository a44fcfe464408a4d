// fuselage-form-dispatches: plans the dispatches of a function, then wraps each.
#include "core/dialects/Flow.h"
#include "core/transforms/DispatchPredicates.h"
#include "core/transforms/Passes.h"
#include <algorithm>

namespace fuselage {
#define GEN_PASS_DEF_FORMDISPATCHESPASS
#include "core/transforms/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace {

struct FormDispatchesPass : fuselage::impl::FormDispatchesPassBase<FormDispatchesPass> {
  using FormDispatchesPassBase::FormDispatchesPassBase;

  void runOnOperation() override {
    fuselage::DispatchPolicy policy{.fuseElementwiseConsumers = fuseConsumers,
                                    .cloneCheapProducers = cloneProducers,
                                    .wrapLeftovers = wrapLeftovers};
    IRRewriter rewriter(&getContext());
    std::vector<fuselage::DispatchGroup> groups =
        fuselage::planDispatches(getOperation(), policy);
    // Leaders that other groups clone go last, while they still stand outside.
    std::stable_partition(groups.begin(), groups.end(), [](const fuselage::DispatchGroup &group) {
      return !fuselage::isCheapProducer(group.root);
    });
    for (const fuselage::DispatchGroup &group : groups)
      if (failed(fuselage::wrapDispatch(rewriter, group)))
        group.root->emitWarning("stays outside of dispatches: the ops of its group cannot stand "
                                "at one place");
  }
};

} // namespace

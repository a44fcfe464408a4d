// fuselage-form-dispatches: plans the dispatches of a function, then wraps each.
#include "core/dialects/Flow.h"
#include "core/transforms/DispatchFormation.h"
#include "core/transforms/Passes.h"

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
    for (const fuselage::DispatchGroup &group : groups)
      if (failed(fuselage::wrapDispatch(rewriter, group)))
        group.root->emitWarning("stays outside of dispatches: the ops of its group cannot stand "
                                "at one place");
  }
};

} // namespace

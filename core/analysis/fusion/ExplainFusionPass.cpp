// fuselage-explain-fusion: verdicts as remarks on the ops.
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/transforms/Passes.h"

namespace fuselage {
#define GEN_PASS_DEF_EXPLAINFUSIONPASS
#include "core/transforms/Passes.h.inc"
} // namespace fuselage

using namespace fuselage;

namespace {

struct ExplainFusionPass : fuselage::impl::ExplainFusionPassBase<ExplainFusionPass> {
  using ExplainFusionPassBase::ExplainFusionPassBase;

  void runOnOperation() override {
    llvm::Expected<FusionPolicy> parsed = parseFusionPolicy(policy);
    if (!parsed) {
      getOperation().emitError(llvm::toString(parsed.takeError()));
      return signalPassFailure();
    }
    if (gbps <= 0) {
      getOperation().emitError("the bandwidth has to be more than 0 GB/s");
      return signalPassFailure();
    }
    emitFusionRemarks(judgeFusion(getOperation(), *parsed), {.missedOnly = missedOnly, .gbps = gbps});
    markAllAnalysesPreserved();
  }
};

} // namespace

#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"

namespace fuselage {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct SpecializePass : impl::SpecializePassBase<SpecializePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation()))
      if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
        (void)toNamed(rewriter, generic);
  }
};

} // namespace
} // namespace fuselage

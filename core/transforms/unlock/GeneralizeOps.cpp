#include "core/ir/ops/CollectOps.h"
#include "core/transforms/dispatch/TensorArithmetic.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"

namespace fuselage {
#define GEN_PASS_DEF_GENERALIZEPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct GeneralizePass : impl::GeneralizePassBase<GeneralizePass> {
  void runOnOperation() override {
    writeAsStructured(
        collectOps(getOperation(), [](Operation *op) { return isTensorArithmetic(op) && isOutsideDispatch(op); }));
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation())) {
      if (isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
        continue;
      Location loc = op.getLoc();
      StringRef name = op->getName().getStringRef();
      if (failed(toGeneric(rewriter, op)))
        emitRemark(loc) << name << " stays named: it has no form as a linalg.generic";
    }
  }
};

} // namespace
} // namespace fuselage

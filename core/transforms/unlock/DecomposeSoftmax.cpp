#include "core/transforms/composites/UpstreamComposites.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"

namespace fuselage {
#define GEN_PASS_DEF_DECOMPOSESOFTMAXPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct DecomposeSoftmaxPass : impl::DecomposeSoftmaxPassBase<DecomposeSoftmaxPass> {
  void runOnOperation() override {
    SmallVector<linalg::SoftmaxOp> ops;
    getOperation()->walk([&](linalg::SoftmaxOp op) {
      if (isOutsideDispatch(op) && op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::SoftmaxOp op : ops) {
      FailureOr<SmallVector<Value>> parts = decompose(rewriter, cast<linalg::AggregatedOpInterface>(op.getOperation()));
      if (succeeded(parts))
        rewriter.replaceOp(op, *parts);
    }
  }
};

} // namespace
} // namespace fuselage

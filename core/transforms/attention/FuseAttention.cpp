#include "core/dialects/flow/Flow.h"
#include "core/transforms/attention/AttentionOp.h"
#include "core/transforms/attention/AttentionRegion.h"
#include "core/transforms/attention/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEATTENTIONPASS
#include "core/transforms/attention/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseAttentionPass : impl::FuseAttentionPassBase<FuseAttentionPass> {
  using FuseAttentionPassBase::FuseAttentionPassBase;

  void runOnOperation() override {
    if (queryTile < 0 || keyTile < 0) {
      getOperation()->emitError(
          "fuselage-fuse-attention: tiles have at least one element; 0 leaves them to the device");
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    DeadOpEraser eraser(getOperation());
    for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation())) {
      std::string reason;
      std::optional<Attention> attention = matchAttention(op, reason);
      if (attention && asOp)
        buildAttentionOp(rewriter, *attention);
      else if (attention)
        buildAttentionRegion(rewriter, *attention, {.queryTile = queryTile, .keyTile = keyTile});
      else if (!reason.empty())
        op->emitRemark("is not fused with the softmax that it reads: ") << reason;
    }
    eraser.erase(rewriter);
  }
};

} // namespace
} // namespace fuselage

#include "core/transforms/unlock/Passes.h"
#include "core/transforms/unlock/ReshapePropagation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_BUBBLERESHAPEUPPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct BubbleReshapeUpPass : impl::BubbleReshapeUpPassBase<BubbleReshapeUpPass> {
  using BubbleReshapeUpPassBase::BubbleReshapeUpPassBase;

  void runOnOperation() override {
    ReshapeMethod method = byCollapsing ? ReshapeMethod::FewerLoops : ReshapeMethod::MoreLoops;
    propagateReshapes(getOperation(), ReshapeDirection::Up, method);
    explainStuckReshapes(getOperation(), ReshapeDirection::Up, method);
  }
};

} // namespace
} // namespace fuselage

#include "core/transforms/unlock/Passes.h"
#include "core/transforms/unlock/ReshapePropagation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_BUBBLERESHAPEDOWNPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct BubbleReshapeDownPass : impl::BubbleReshapeDownPassBase<BubbleReshapeDownPass> {
  using BubbleReshapeDownPassBase::BubbleReshapeDownPassBase;

  void runOnOperation() override {
    ReshapeMethod method = byCollapsing ? ReshapeMethod::FewerLoops : ReshapeMethod::MoreLoops;
    propagateReshapes(getOperation(), ReshapeDirection::Down, method);
    explainStuckReshapes(getOperation(), ReshapeDirection::Down, method);
  }
};

} // namespace
} // namespace fuselage

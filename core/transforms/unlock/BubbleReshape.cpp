// fuselage-bubble-reshape-up and -down: reshapes move past the ops around them.
#include "core/transforms/unlock/Passes.h"
#include "core/transforms/unlock/ReshapePropagation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_BUBBLERESHAPEDOWNPASS
#define GEN_PASS_DEF_BUBBLERESHAPEUPPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

void bubbleReshapes(FunctionOpInterface function, ReshapeDirection direction, bool byCollapsing) {
  ReshapeMethod method = byCollapsing ? ReshapeMethod::FewerLoops : ReshapeMethod::MoreLoops;
  propagateReshapes(function, direction, method);
  explainStuckReshapes(function, direction, method);
}

struct BubbleReshapeDownPass : impl::BubbleReshapeDownPassBase<BubbleReshapeDownPass> {
  using BubbleReshapeDownPassBase::BubbleReshapeDownPassBase;
  void runOnOperation() override { bubbleReshapes(getOperation(), ReshapeDirection::Down, byCollapsing); }
};

struct BubbleReshapeUpPass : impl::BubbleReshapeUpPassBase<BubbleReshapeUpPass> {
  using BubbleReshapeUpPassBase::BubbleReshapeUpPassBase;
  void runOnOperation() override { bubbleReshapes(getOperation(), ReshapeDirection::Up, byCollapsing); }
};

} // namespace
} // namespace fuselage

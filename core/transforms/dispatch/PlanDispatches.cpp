#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/flow/Flow.h"
#include "core/transforms/dispatch/DispatchPlan.h"
#include "core/transforms/dispatch/DispatchPlanner.h"
#include "core/transforms/dispatch/DispatchPredicates.h"

using namespace mlir;

namespace fuselage {

bool canHoldDispatches(Region &body) {
  Operation *function = body.getParentOp();
  return !body.empty() && !function->hasAttr(kDispatchAttr) && !isKernel(function);
}

bool isPartlyFormed(Operation *function) {
  bool isFormed = false, hasOthers = false;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<flow::DispatchRegionOp>(op)) {
      isFormed = true;
      return WalkResult::skip();
    }
    hasOthers |= isComputeOp(op);
    return isFormed && hasOthers ? WalkResult::interrupt() : WalkResult::advance();
  });
  return isFormed && hasOthers;
}

DispatchPlan planFunction(Region &body, const FusionPolicy &policy) {
  return canHoldDispatches(body) ? DispatchPlanner(body, policy).plan() : DispatchPlan();
}

std::vector<DispatchGroup> planDispatches(Region &body, const FusionPolicy &policy) {
  if (!canHoldDispatches(body))
    return {};
  DispatchPlanner planner(body, policy);
  planner.plan();
  return planner.planWithMoves();
}

} // namespace fuselage

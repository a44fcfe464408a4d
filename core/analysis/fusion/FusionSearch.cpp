#include "core/analysis/fusion/FusionSearch.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/fusion/FusionPresets.h"
#include "core/ir/ops/Payload.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include <limits>
#include <tuple>

using namespace mlir;

namespace fuselage {

//===-- Costs ---------------------------------------------------------------------------------===//

/// Bytes that memory moves in the time of a launch, at the assumed rates.
constexpr auto launchBytes = static_cast<int64_t>(kAssumedLaunchUs * kAssumedGbps * 1e3);

static unsigned countTensorOps(ModuleOp module) {
  unsigned count = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    count += llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>) && !op->hasTrait<OpTrait::ConstantLike>();
    return hasPayloadRegion(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return count;
}

llvm::Expected<FusionCost> fusionCost(ModuleOp module, const FusionPolicy &policy, const DeviceRates &rates,
                                      bool formed) {
  OwningOpRef<ModuleOp> copy;
  if (formed || hasDispatchRegions(module)) {
    copy = OwningOpRef<ModuleOp>(module.clone());
    if (llvm::Error error = completeDispatches(*copy, policy, formed))
      return error;
  }
  FusionCost cost;
  cost.ops = countTensorOps(module);
  cost.us = 0;
  for (const BodyVerdicts &body : judgeFusion(copy ? *copy : module, policy, JudgedFor::Counts)) {
    for (const JudgedDispatch &dispatch : body.dispatches) {
      ++cost.dispatches;
      cost.bytes = cost.bytes < 0 || dispatch.bytes < 0 ? -1 : cost.bytes + dispatch.bytes;
      double us = rates.dispatchUs(kernelKind(dispatch.name), dispatch.bytes);
      cost.us = cost.us < 0 || us < 0 ? -1 : cost.us + us;
    }
    cost.stored += llvm::count_if(
        body.edges, [](const EdgeVerdict &edge) { return edge.verdict == Verdict::Separate && edge.bytes != 0; });
  }
  return cost;
}

double predictedGain(const FusionCost &before, const FusionCost &now) {
  return before.us < 0 || now.us < 0 ? std::numeric_limits<double>::quiet_NaN() : before.us - now.us;
}

bool isDearer(const FusionCost &one, const FusionCost &other) {
  // Sums in another order are no difference.
  constexpr double rounding = 1e-9;
  if (one.us >= 0 && other.us >= 0)
    return one.us > other.us * (1 + rounding);
  if (one.bytes < 0 || other.bytes < 0)
    return std::tie(one.dispatches, one.stored) > std::tie(other.dispatches, other.stored);
  return one.bytes + launchBytes * one.dispatches > other.bytes + launchBytes * other.dispatches;
}

//===-- Goals ---------------------------------------------------------------------------------===//

llvm::StringRef presetOf(FusionGoal goal) {
  return goal == FusionGoal::All ? "fuselage-fuse-all" : "fuselage-fusion-cleanup";
}

std::vector<std::string> passesOf(FusionGoal goal) {
  OpPassManager functions(func::FuncOp::getOperationName());
  (goal == FusionGoal::All ? buildFuseAll : buildFusionCleanup)(functions);
  std::vector<std::string> names;
  for (Pass &pass : functions.getPasses())
    names.push_back(pass.getArgument().str());
  return names;
}

} // namespace fuselage

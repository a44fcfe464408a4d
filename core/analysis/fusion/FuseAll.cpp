#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "llvm/ADT/Twine.h"
#include <tuple>

using namespace mlir;

namespace fuselage {

/// A launch takes some 4 us, in which memory of some 500 GB/s moves this much.
constexpr int64_t launchBytes = 2'000'000;

/// The clean-up leaves ops that have names named; so does what comes last.
constexpr llvm::StringLiteral parts[] = {
    "fuselage-fusion-cleanup", "fuselage-fuse-attention", "fuselage-fuse-multi-use", "fuselage-fuse-horizontal",
    "fuselage-fuse-epilogue",  "fuselage-fuse-reduction", "fuselage-specialize",     "canonicalize"};

llvm::Expected<FusionCost> fusionCost(ModuleOp module, const FusionPolicy &policy) {
  OwningOpRef<ModuleOp> copy(module.clone());
  if (llvm::Error error = completeDispatches(*copy, policy))
    return error;
  FusionCost cost;
  for (const BodyVerdicts &body : judgeFusion(*copy, policy)) {
    for (const JudgedDispatch &dispatch : body.dispatches) {
      ++cost.dispatches;
      cost.bytes = cost.bytes < 0 || dispatch.bytes < 0 ? -1 : cost.bytes + dispatch.bytes;
    }
    cost.stored += llvm::count_if(
        body.edges, [](const EdgeVerdict &edge) { return edge.verdict == Verdict::Separate && edge.bytes != 0; });
  }
  return cost;
}

bool isDearer(const FusionCost &one, const FusionCost &other) {
  if (one.bytes < 0 || other.bytes < 0)
    return std::tie(one.dispatches, one.stored) > std::tie(other.dispatches, other.stored);
  return one.bytes + launchBytes * one.dispatches > other.bytes + launchBytes * other.dispatches;
}

llvm::Expected<FusionRetreat> fuseWhatPays(ModuleOp module, const FusionPolicy &policy,
                                           llvm::function_ref<std::string(ModuleOp)> problemOf) {
  llvm::Expected<FusionCost> cost = fusionCost(module, policy);
  if (!cost)
    return cost.takeError();
  const FusionCost start = *cost;
  OwningOpRef<ModuleOp> state(module.clone());
  FusionRetreat retreat;
  for (llvm::StringRef part : parts) {
    OwningOpRef<ModuleOp> next(state->clone());
    auto drop = [&](const std::string &why) { retreat.dropped.push_back(part.str() + ": " + why); };
    if (llvm::Error error = runFusionPipeline(*next, functionPipeline(part))) {
      drop("it fails: " + takeFailure(std::move(error)).message);
      continue;
    }
    llvm::Expected<FusionCost> now = fusionCost(*next, policy);
    if (!now) {
      drop(takeFailure(now.takeError()).message);
      continue;
    }
    if (isDearer(*now, *cost)) {
      std::string why =
          (llvm::Twine(cost->dispatches) + " dispatches before it, " + llvm::Twine(now->dispatches) + " after").str();
      if (now->bytes >= 0 && cost->bytes >= 0)
        why += (llvm::Twine(", ") + llvm::Twine(cost->bytes) + " bytes through memory before, " +
                llvm::Twine(now->bytes) + " after")
                   .str();
      drop(why);
      continue;
    }
    if (std::string problem = problemOf(*next); !problem.empty()) {
      drop(problem);
      continue;
    }
    retreat.kept.push_back(part.str());
    state = std::move(next);
    cost = *now;
  }
  if (!isDearer(start, *cost))
    retreat.kept.clear();
  return retreat;
}

} // namespace fuselage

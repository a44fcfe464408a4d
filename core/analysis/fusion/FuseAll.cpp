#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/fusion/MeasuredFusion.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;

namespace fuselage {

/// Whether `one` has more dispatches, edges through memory or bytes than `other`, or unknown bytes where those of
/// `other` are known.
static bool addsAnything(const FusionCost &one, const FusionCost &other) {
  bool isKnown = one.bytes >= 0 && other.bytes >= 0;
  return one.dispatches > other.dispatches || one.stored > other.stored || (isKnown && one.bytes > other.bytes) ||
         (one.bytes < 0 && other.bytes >= 0);
}

/// Passes to try one by one where the whole preset does not pay: those of buildFuseAll (FusionPresets.cpp) after
/// softmax is decomposed, with the clean-up as one. Named ops that were generalized get their names back in the
/// clean-up and in the last passes.
static std::vector<std::vector<std::string>> partsOf(FusionGoal goal) {
  std::vector<std::vector<std::string>> parts;
  std::vector<std::string> cleanUp = passesOf(FusionGoal::CleanUp);
  if (goal == FusionGoal::CleanUp) {
    for (std::string &pass : cleanUp)
      parts.push_back({pass});
    return parts;
  }
  parts.push_back(cleanUp);
  for (const char *pass : {"fuselage-fuse-attention", "fuselage-fuse-multi-use", "fuselage-fuse-horizontal",
                           "fuselage-fuse-epilogue", "fuselage-fuse-reduction", "fuselage-fuse-packing",
                           "fuselage-fuse-siblings", "fuselage-specialize", "canonicalize"})
    parts.push_back({pass});
  return parts;
}

/// Whether to take passes back. All: the predicted cost rose. CleanUp: dispatches, stored edges or bytes rose.
static bool isWorse(FusionGoal goal, const FusionCost &now, const FusionCost &before) {
  return goal == FusionGoal::All ? isDearer(now, before) : addsAnything(now, before);
}

static bool isBetter(FusionGoal goal, const FusionCost &now, const FusionCost &before) {
  if (goal == FusionGoal::All)
    return isDearer(before, now);
  return !addsAnything(now, before) && (addsAnything(before, now) || now.ops < before.ops);
}

//===-- Rounds --------------------------------------------------------------------------------===//

namespace {

/// A module on its way to the goal.
struct State {
  OwningOpRef<ModuleOp> module{};
  FusionCost cost{};
  std::vector<FusionStep> steps{};
  State copy() const { return {OwningOpRef<ModuleOp>(module.get().clone()), cost, steps}; }
};

class Rounds {
public:
  Rounds(const FusionPolicy &policy, const FuseAllOptions &options) : policy_(policy), options_(options) {}
  llvm::Expected<FuseAllResult> run(ModuleOp module);

private:
  llvm::Error apply(State &state, ArrayRef<std::string> passes);
  std::string tryPasses(State &state, ArrayRef<std::string> passes, bool mustGain);
  bool advance(State &state, std::vector<std::string> &dropped);
  std::string describe(const FusionCost &before, const FusionCost &now) const;

  const FusionPolicy &policy_;
  const FuseAllOptions &options_;
  bool isStopped_ = false;
};

} // namespace

/// Runs the passes, each on all functions, and notes those that change something.
llvm::Error Rounds::apply(State &state, ArrayRef<std::string> passes) {
  uint64_t known = fingerprintOf(*state.module);
  for (const std::string &pass : passes) {
    isStopped_ |= options_.proceed && !options_.proceed(pass);
    if (isStopped_)
      return fail("cancelled: the fusion was ended");
    if (llvm::Error error = runFusionPipeline(*state.module, functionPipeline(pass)))
      return error;
    uint64_t now = fingerprintOf(*state.module);
    if (now == known)
      continue;
    known = now;
    llvm::Expected<FusionCost> cost = fusionCost(*state.module, policy_, options_.rates);
    if (!cost)
      return cost.takeError();
    state.cost = *cost;
    state.steps.push_back({.pass = pass, .reason = "", .dispatches = cost->dispatches});
  }
  return llvm::Error::success();
}

std::string Rounds::describe(const FusionCost &before, const FusionCost &now) const {
  std::string text =
      (llvm::Twine(before.dispatches) + " dispatches before it, " + llvm::Twine(now.dispatches) + " after").str();
  if (now.bytes >= 0 && before.bytes >= 0)
    text += (llvm::Twine(", ") + llvm::Twine(before.bytes) + " bytes through memory before, " + llvm::Twine(now.bytes) +
             " after, by prediction")
                .str();
  return text;
}

/// Why the passes are taken back; empty: the state is what they left.
std::string Rounds::tryPasses(State &state, ArrayRef<std::string> passes, bool mustGain) {
  State next = state.copy();
  if (llvm::Error error = apply(next, passes))
    return "it fails: " + takeFailure(std::move(error)).message;
  if (next.steps.size() == state.steps.size())
    return mustGain ? "it changes nothing" : "";
  if (isWorse(options_.goal, next.cost, state.cost) || (mustGain && !isBetter(options_.goal, next.cost, state.cost)))
    return describe(state.cost, next.cost);
  if (std::string problem = options_.problemOf(*next.module); !problem.empty())
    return problem;
  state = std::move(next);
  return "";
}

/// One round: the preset, or those of its parts that do not hurt. False: it gains nothing, and the state is
/// what it was.
bool Rounds::advance(State &state, std::vector<std::string> &dropped) {
  if (tryPasses(state, passesOf(options_.goal), /*mustGain=*/true).empty())
    return true;
  State partial = state.copy();
  for (const std::vector<std::string> &part : partsOf(options_.goal)) {
    if (isStopped_)
      return false;
    std::string name = part.size() == 1 ? part.front() : presetOf(FusionGoal::CleanUp).str();
    if (std::string why = tryPasses(partial, part, /*mustGain=*/false); !why.empty())
      dropped.push_back(name + ": " + why);
  }
  if (!isBetter(options_.goal, partial.cost, state.cost))
    return false;
  state = std::move(partial);
  return true;
}

llvm::Expected<FuseAllResult> Rounds::run(ModuleOp module) {
  llvm::Expected<FusionCost> cost = fusionCost(module, policy_, options_.rates);
  if (!cost)
    return cost.takeError();
  State state{.module = OwningOpRef<ModuleOp>(module.clone()), .cost = *cost};
  FuseAllResult result;
  result.before = *cost;
  // Each round that stays costs less than the one before, so that there is a last one.
  for (bool isFirst = true;; isFirst = false) {
    std::vector<std::string> dropped;
    bool isOn = advance(state, dropped);
    if (isStopped_)
      return fail("cancelled: the fusion was ended");
    // What a later round tries in vain was not asked for.
    if (isFirst || isOn)
      llvm::append_range(result.dropped, dropped);
    if (!isOn)
      break;
  }
  result.module = std::move(state.module);
  result.after = state.cost;
  result.steps = std::move(state.steps);
  return result;
}

llvm::Expected<FuseAllResult> fuseAll(ModuleOp module, const FusionPolicy &policy, const FuseAllOptions &options) {
  llvm::Expected<FuseAllResult> result = Rounds(policy, options).run(module);
  if (!result || result->steps.empty() || !options.measure)
    return result;
  return keepWhatIsFaster(module, policy, options, std::move(*result));
}

} // namespace fuselage

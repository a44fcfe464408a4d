#include "core/analysis/fusion/FuseAll.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/fusion/MeasuredFusion.h"
#include "core/ir/layers/ShortFunction.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/module/SharedContext.h"
#include "core/ir/module/VerifySafely.h"
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

/// A program to plan for: a module, or modules with a few of its layers each. The first has the fewest; each of the
/// others has one layer more of one run of layers.
struct Program {
  SmallVector<OwningOpRef<ModuleOp>> modules{};
  SmallVector<int64_t> missing{}; ///< of each module but the first: layers that the program has beyond the first's
};

/// A program on its way to the goal.
struct State {
  SmallVector<OwningOpRef<ModuleOp>> modules{};
  FusionCost cost{}; ///< of the program
  std::vector<FusionStep> steps{};
  /// What was done to the modules, to be done to another one: passes, and copies. A pass may depend on the order of
  /// the users of a value, which a copy may change.
  std::vector<std::string> done{};
  State copy() const;
};
constexpr StringLiteral kCopied = "";

class Rounds {
public:
  Rounds(const FusionPolicy &policy, const FuseAllOptions &options, ArrayRef<int64_t> missing)
      : policy_(policy), options_(options), missing_(missing) {}
  /// The result has no module; the state has.
  llvm::Expected<FuseAllResult> run(State &state);

private:
  llvm::Expected<FusionCost> costOf(ArrayRef<OwningOpRef<ModuleOp>> modules) const;
  llvm::Error apply(State &state, ArrayRef<std::string> passes);
  std::string tryPasses(State &state, ArrayRef<std::string> passes, bool mustGain);
  bool advance(State &state, std::vector<std::string> &dropped);
  std::string describe(const FusionCost &before, const FusionCost &now) const;

  const FusionPolicy &policy_;
  const FuseAllOptions &options_;
  ArrayRef<int64_t> missing_; ///< see Program
  bool isStopped_ = false;
};

} // namespace

State State::copy() const {
  State other{.modules = {}, .cost = cost, .steps = steps, .done = done};
  for (const OwningOpRef<ModuleOp> &module : modules)
    other.modules.push_back(OwningOpRef<ModuleOp>(module.get().clone()));
  other.done.push_back(kCopied.str());
  return other;
}

/// What a program costs that has `missing` more of the layer which `longer` has more than `few`. Unknown stays unknown.
static FusionCost plusLayers(FusionCost cost, const FusionCost &few, const FusionCost &longer, int64_t missing) {
  auto add = [&](auto FusionCost::*member) {
    auto &sum = cost.*member;
    using Number = std::decay_t<decltype(sum)>;
    if constexpr (std::is_signed_v<Number> || std::is_floating_point_v<Number>)
      if (sum < 0 || few.*member < 0 || longer.*member < 0) {
        sum = -1;
        return;
      }
    sum += (longer.*member - few.*member) * static_cast<Number>(missing);
  };
  add(&FusionCost::dispatches);
  add(&FusionCost::stored);
  add(&FusionCost::ops);
  add(&FusionCost::bytes);
  add(&FusionCost::us);
  return cost;
}

llvm::Expected<FusionCost> Rounds::costOf(ArrayRef<OwningOpRef<ModuleOp>> modules) const {
  llvm::Expected<FusionCost> few = fusionCost(*modules.front(), policy_, options_.rates);
  if (!few)
    return few.takeError();
  FusionCost cost = *few;
  for (auto [module, missing] : llvm::zip_equal(modules.drop_front(), missing_)) {
    llvm::Expected<FusionCost> longer = fusionCost(*module, policy_, options_.rates);
    if (!longer)
      return longer.takeError();
    cost = plusLayers(cost, *few, *longer, missing);
  }
  return cost;
}

static std::vector<uint64_t> fingerprintsOf(ArrayRef<OwningOpRef<ModuleOp>> modules) {
  std::vector<uint64_t> prints;
  for (const OwningOpRef<ModuleOp> &module : modules)
    prints.push_back(fingerprintOf(*module));
  return prints;
}

/// Runs the passes, each on all functions, and notes those that change something.
llvm::Error Rounds::apply(State &state, ArrayRef<std::string> passes) {
  std::vector<uint64_t> known = fingerprintsOf(state.modules);
  for (const std::string &pass : passes) {
    isStopped_ |= options_.proceed && !options_.proceed(pass);
    if (isStopped_)
      return fail("cancelled: the fusion was ended");
    for (OwningOpRef<ModuleOp> &module : state.modules)
      if (llvm::Error error = runFusionPipeline(*module, functionPipeline(pass)))
        return error;
    std::vector<uint64_t> now = fingerprintsOf(state.modules);
    if (now == known)
      continue;
    known = std::move(now);
    llvm::Expected<FusionCost> cost = costOf(state.modules);
    if (!cost)
      return cost.takeError();
    state.cost = *cost;
    state.steps.push_back({.pass = pass, .reason = "", .dispatches = cost->dispatches});
    state.done.push_back(pass);
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
  if (std::string problem = options_.problemOf(*next.modules.front()); !problem.empty())
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

llvm::Expected<FuseAllResult> Rounds::run(State &state) {
  llvm::Expected<FusionCost> cost = costOf(state.modules);
  if (!cost)
    return cost.takeError();
  state.cost = *cost;
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
    if (options_.found)
      options_.found(state.steps);
  }
  result.after = state.cost;
  result.steps = state.steps;
  return result;
}

//===-- All layers, or a few of them ----------------------------------------------------------===//

/// Few enough to plan fast: what the layers between cost is checked at the end.
static constexpr FewLayers kPlanned{.first = 2, .last = 1};

/// The module with short functions in place of its own. `longer`: the function and the run of which one layer more is
/// left.
static OwningOpRef<ModuleOp> withFewLayers(ModuleOp module, ArrayRef<ShortFunction> few,
                                           std::optional<std::pair<size_t, size_t>> longer) {
  // Cloned without the bodies of these functions, which are most of it.
  std::vector<Region> bodies(few.size());
  for (auto [body, function] : llvm::zip_equal(bodies, few))
    body.takeBody(function.function().getBody());
  OwningOpRef<ModuleOp> copy(module.clone());
  for (auto [body, function] : llvm::zip_equal(bodies, few))
    function.function().getBody().takeBody(body);
  for (auto [number, function] : llvm::enumerate(few)) {
    bool isLonger = longer && longer->first == number;
    func::FuncOp body = isLonger ? function.withLonger(longer->second).release() : function.get().clone();
    auto place = copy->lookupSymbol<func::FuncOp>(function.function().getName());
    place->getBlock()->getOperations().insert(place->getIterator(), body);
    place.erase();
  }
  return copy;
}

/// The module with a few layers of each run of equal ones; no modules: it has no such runs, or so few layers that to
/// plan for all costs no more.
static Program programOfFewLayers(ModuleOp module) {
  SmallVector<ShortFunction> few;
  SmallVector<std::pair<size_t, size_t>> runs;
  Program program;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto one = function.isExternal() ? std::nullopt : ShortFunction::of(function, kPlanned);
    if (!one)
      continue;
    for (size_t run = 0; run < one->countRuns(); ++run) {
      runs.push_back({few.size(), run});
      program.missing.push_back(static_cast<int64_t>(one->countLeftOut(run)));
    }
    few.push_back(std::move(*one));
  }
  if (few.empty())
    return {};
  program.modules.push_back(withFewLayers(module, few, std::nullopt));
  if (countAllOps(*program.modules.front()) * (1 + runs.size()) * 2 > countAllOps(module))
    return {};
  for (auto run : runs)
    program.modules.push_back(withFewLayers(module, few, run));
  return program;
}

/// A module after what was done to another one, verified as a whole: each pass was when it was planned.
static llvm::Expected<OwningOpRef<ModuleOp>> repeat(ModuleOp module, ArrayRef<std::string> done,
                                                    const FuseAllOptions &options) {
  OwningOpRef<ModuleOp> result(module.clone());
  bool isFresh = true; // a copy of a copy is like it
  for (const std::string &pass : done) {
    if (pass == kCopied) {
      if (!std::exchange(isFresh, true))
        result = OwningOpRef<ModuleOp>(result->clone());
      continue;
    }
    if (options.proceed && !options.proceed(pass))
      return fail("cancelled: the fusion was ended");
    if (llvm::Error error = runFusionPipeline(*result, functionPipeline(pass), /*verifies=*/false))
      return error;
    isFresh = false;
  }
  DiagnosticCapture capture(*module.getContext());
  if (failed(verifyQuickly(*result)))
    return fail("what the passes leave does not verify", capture.take());
  return result;
}

static std::optional<FusionCost> costIfKnown(ModuleOp module, const FusionPolicy &policy, const DeviceRates &rates) {
  llvm::Expected<FusionCost> cost = fusionCost(module, policy, rates);
  if (cost)
    return *cost;
  llvm::consumeError(cost.takeError());
  return std::nullopt;
}

/// repeat(), and what `module` costs. Passes of several functions would use more threads.
static llvm::Expected<OwningOpRef<ModuleOp>> repeatBesideCost(ModuleOp module, ArrayRef<std::string> done,
                                                              const FusionPolicy &policy, const FuseAllOptions &options,
                                                              std::optional<FusionCost> &cost) {
  auto findCost = [&] { cost = costIfKnown(module, policy, options.rates); };
  if (!llvm::hasSingleElement(module.getOps<func::FuncOp>()) || !isWorthTwoThreads(module)) {
    findCost();
    return repeat(module, done, options);
  }
  std::optional<llvm::Expected<OwningOpRef<ModuleOp>>> result;
  runBoth(
      *module.getContext(), [&] { result.emplace(repeat(module, done, options)); }, findCost);
  return std::move(*result);
}

/// Arguments that neither module reads, such as the weights of layers left out, go from both.
static void dropUnreadArguments(ModuleOp before, ModuleOp after) {
  for (auto function : before.getOps<func::FuncOp>()) {
    auto other = after.lookupSymbol<func::FuncOp>(function.getName());
    if (!other || function.isExternal() || !function.isPublic() ||
        other.getNumArguments() != function.getNumArguments())
      continue;
    llvm::BitVector unread(function.getNumArguments());
    for (auto [one, twin] : llvm::zip_equal(function.getArguments(), other.getArguments()))
      unread[one.getArgNumber()] = one.use_empty() && twin.use_empty();
    (void)function.eraseArguments(unread);
    (void)other.eraseArguments(unread);
  }
}

static bool areEqual(const FusionCost &one, const FusionCost &other) {
  return std::tie(one.dispatches, one.stored, one.ops, one.bytes) ==
         std::tie(other.dispatches, other.stored, other.ops, other.bytes);
}

/// Plans for a few of many equal layers, and does to all layers what was planned. It holds if they cost, before and
/// after, what modules that differ by a layer say. No module: there are no layers, or it does not hold.
static llvm::Expected<FuseAllResult> planOnFewLayers(ModuleOp module, const FusionPolicy &policy,
                                                     const FuseAllOptions &options) {
  Program program = programOfFewLayers(module);
  FuseAllResult none;
  if (program.modules.empty())
    return none;
  OwningOpRef<ModuleOp> few(program.modules.front().get().clone());
  State state{.modules = std::move(program.modules)};
  FuseAllOptions unasked = options; // what is wrong shows in the whole program
  unasked.problemOf = FuseAllOptions().problemOf;
  llvm::Expected<FuseAllResult> result = Rounds(policy, unasked, program.missing).run(state);
  if (!result)
    return result;
  std::optional<FusionCost> before;
  llvm::Expected<OwningOpRef<ModuleOp>> all = repeatBesideCost(module, state.done, policy, options, before);
  if (!all)
    return all.takeError();
  std::optional<FusionCost> after = costIfKnown(**all, policy, options.rates);
  if (!before || !after)
    return none;
  if (!areEqual(*before, result->before) || !areEqual(*after, result->after) ||
      (!result->steps.empty() && !options.problemOf(**all).empty()))
    return none;
  result->before = *before;
  result->after = *after;
  result->module = std::move(*all);
  result->fewBefore = std::move(few);
  result->fewAfter = std::move(state.modules.front());
  dropUnreadArguments(*result->fewBefore, *result->fewAfter);
  return result;
}

static llvm::Expected<FuseAllResult> fuseByPrediction(ModuleOp module, const FusionPolicy &policy,
                                                      const FuseAllOptions &options) {
  if (!options.eachLayer) {
    llvm::Expected<FuseAllResult> result = planOnFewLayers(module, policy, options);
    if (!result || result->module)
      return result;
  }
  State state;
  state.modules.push_back(OwningOpRef<ModuleOp>(module.clone()));
  llvm::Expected<FuseAllResult> result = Rounds(policy, options, {}).run(state);
  if (result)
    result->module = std::move(state.modules.front());
  return result;
}

llvm::Expected<FuseAllResult> fuseAll(ModuleOp module, const FusionPolicy &policy, const FuseAllOptions &options) {
  llvm::Expected<FuseAllResult> result = fuseByPrediction(module, policy, options);
  if (!result || result->steps.empty() || !options.measure)
    return result;
  result->fewBefore = OwningOpRef<ModuleOp>();
  result->fewAfter = OwningOpRef<ModuleOp>();
  return keepWhatIsFaster(module, policy, options, std::move(*result));
}

} // namespace fuselage

#include "core/analysis/fusion/EdgeFusion.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/fusion/FusionTrial.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <deque>

using namespace mlir;

namespace fuselage {

llvm::Expected<EdgeAddress> parseEdgeAddress(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ':');
  EdgeAddress address;
  unsigned operand = 0;
  bool isWrong = parts.size() < 2 || parts.size() > 3 || parts[0].getAsInteger(10, address.from) || address.from < 0 ||
                 parts[1].getAsInteger(10, address.to) || address.to < 0 ||
                 (parts.size() == 3 && parts[2].getAsInteger(10, operand));
  if (isWrong)
    return fail("takes FROM:TO or FROM:TO:OPERAND, numbers of ops as 'fuselage explain' gives them, not '" +
                text.str() + "'");
  if (parts.size() == 3)
    address.operand = operand;
  return address;
}

//===-- The search ---------------------------------------------------------------------------===//

/// Adds the unlocks that the edge's reasons name, those of the deciding reason first.
static void addUnlocks(const EdgeVerdict &edge, std::vector<std::pair<std::string, std::string>> &unlocks) {
  for (const Refusal &refusal : edge.refusals)
    for (FusionReason reason : {refusal.reason, refusal.kind.value_or(refusal.reason)})
      for (llvm::StringRef name : unlocksOf(reason)) {
        std::string pass = "fuselage-" + name.str();
        if (llvm::none_of(unlocks, [&](const auto &known) { return known.first == pass; }))
          unlocks.emplace_back(pass, infoOf(reason).code.str());
      }
}

/// "MULTI_USE: The value has other users: ... (also read by linalg.generic)".
static std::string describe(const Refusal &refusal) {
  const FusionReasonInfo &info = infoOf(refusal.reason);
  std::string evidence = describeEvidence(refusal);
  return info.code.str() + ": " + info.sentence.str() + (evidence.empty() ? "" : " (" + evidence + ")");
}

namespace {

/// The function of the edge, as a list of passes left it.
struct State {
  FusionTrial trial;
  std::vector<FusionStep> steps{};
  std::vector<std::pair<std::string, std::string>> unlocks{}; ///< pass, and the reason that names it
};

class Search {
public:
  Search(OpMark producer, OpMark consumer, const FusionPolicy &policy, const EdgeFusionOptions &options,
         EdgeFusion &result)
      : producer_(producer), consumer_(consumer), policy_(policy), options_(options), result_(result) {}
  llvm::Error run(FusionTrial start, size_t ops);
  bool wasStopped() const { return stopped_; }

private:
  std::vector<std::pair<std::string, std::string>> readReasons(const MarkedVerdicts &verdicts);
  bool tryPass(const State &state, const std::pair<std::string, std::string> &unlock);
  void tryPresets(const FusionTrial &origin);
  void finish(std::vector<FusionStep> steps);

  const OpMark producer_, consumer_;
  const FusionPolicy &policy_;
  const EdgeFusionOptions &options_;
  EdgeFusion &result_;
  std::optional<MarkedVerdicts> before_{};
  llvm::DenseSet<uint64_t> seen_{};
  std::deque<State> open_{};
  bool stopped_ = false;
};

} // namespace

/// The unlocks that the verdict on the edge names now; reasons that are new go to the result.
std::vector<std::pair<std::string, std::string>> Search::readReasons(const MarkedVerdicts &verdicts) {
  std::vector<std::pair<std::string, std::string>> unlocks;
  for (const EdgeVerdict *edge : verdicts.separateEdges(producer_, consumer_)) {
    addUnlocks(*edge, unlocks);
    for (const Refusal &refusal : edge->refusals)
      if (std::string text = describe(refusal); !llvm::is_contained(result_.reasons, text))
        result_.reasons.push_back(std::move(text));
  }
  return unlocks;
}

void Search::finish(std::vector<FusionStep> steps) {
  result_.fused = true;
  result_.pipeline =
      functionPipeline(llvm::join(llvm::map_range(steps, [](const FusionStep &step) { return step.pass; }), ","));
  result_.steps = std::move(steps);
}

/// One more pass on a copy of the state. True: the edge is fused, or the search is to end.
bool Search::tryPass(const State &state, const std::pair<std::string, std::string> &unlock) {
  stopped_ = stopped_ || (options_.proceed && !options_.proceed(unlock.first, result_.tries));
  if (stopped_)
    return true;
  ++result_.tries;
  if (std::string name = llvm::StringRef(unlock.first).drop_front(llvm::StringLiteral("fuselage-").size()).str();
      !llvm::is_contained(result_.tried, name))
    result_.tried.push_back(std::move(name));
  FusionTrial copy = state.trial.copy();
  if (llvm::Error error = copy.run(unlock.first)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  if (!seen_.insert(copy.fingerprint()).second)
    return false;
  llvm::Expected<MarkedVerdicts> verdicts = copy.judge(policy_, JudgedFor::Reasons);
  if (!verdicts) {
    llvm::consumeError(verdicts.takeError());
    return false;
  }
  State next{.trial = std::move(copy), .steps = state.steps};
  next.steps.push_back({.pass = unlock.first, .reason = unlock.second, .dispatches = verdicts->dispatches()});
  if (verdicts->isFused(producer_, consumer_, *before_)) {
    finish(std::move(next.steps));
    return true;
  }
  next.unlocks = readReasons(*verdicts);
  // What the state before listed may help after this pass, too.
  for (const auto &earlier : state.unlocks)
    if (llvm::none_of(next.unlocks, [&](const auto &known) { return known.first == earlier.first; }))
      next.unlocks.push_back(earlier);
  if (next.steps.size() < options_.maxSteps)
    open_.push_back(std::move(next));
  return false;
}

/// Where many things stand in the way at once, the presets know the order.
void Search::tryPresets(const FusionTrial &origin) {
  std::string reason = llvm::StringRef(result_.reasons.front()).split(':').first.str();
  State start{.trial = origin.copy()};
  for (const char *preset : {"fuselage-fusion-cleanup", "fuselage-fuse-all"})
    if (tryPass(start, {preset, reason}))
      break;
}

llvm::Error Search::run(FusionTrial start, size_t ops) {
  llvm::Expected<MarkedVerdicts> verdicts = start.judge(policy_, JudgedFor::Reasons);
  if (!verdicts)
    return verdicts.takeError();
  before_.emplace(std::move(*verdicts));
  result_.dispatches = before_->dispatches();
  std::vector<std::pair<std::string, std::string>> unlocks = readReasons(*before_);
  if (result_.reasons.empty()) {
    result_.fused = true;
    return llvm::Error::success();
  }
  unsigned maxTries = std::clamp<size_t>(400'000 / (ops + 1), 4, std::max(4u, options_.maxTries));
  seen_.insert(start.fingerprint());
  FusionTrial origin = start.copy();
  open_.push_back({.trial = std::move(start), .unlocks = std::move(unlocks)});
  for (; !open_.empty(); open_.pop_front())
    for (const auto &unlock : open_.front().unlocks) {
      if (result_.tries >= maxTries) {
        result_.gaveUp = true;
        open_.clear();
        tryPresets(origin);
        return llvm::Error::success();
      }
      if (tryPass(open_.front(), unlock))
        return llvm::Error::success();
    }
  tryPresets(origin);
  return llvm::Error::success();
}

//===-- The edge -------------------------------------------------------------------------------===//

/// What is wrong with an address that names no edge.
static llvm::Error noSuchEdge(const EdgeAddress &address, Operation *from, Operation *to) {
  auto missing = [](OpId id) {
    return fail("there is no op " + std::to_string(id) + "; 'fuselage explain' gives the numbers of ops");
  };
  if (!from)
    return missing(address.from);
  if (!to)
    return missing(address.to);
  auto named = [](OpId id, Operation *op) {
    return std::to_string(id) + " (" + op->getName().getStringRef().str() + ")";
  };
  return fail("no value on tensors goes from op " + named(address.from, from) + " to " +
              (address.operand ? "operand " + std::to_string(*address.operand) + " of " : "") + "op " +
              named(address.to, to) + "; 'fuselage explain --all' lists the edges");
}

llvm::Expected<FoundEdge> findEdge(ModuleOp module, const EdgeAddress &address, llvm::ArrayRef<BodyVerdicts> bodies) {
  Operation *from = nullptr, *to = nullptr;
  OpId next = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (next == address.from)
      from = op;
    if (next == address.to)
      to = op;
    ++next;
  });
  for (const BodyVerdicts &body : bodies)
    for (const EdgeVerdict &edge : body.edges) {
      if (edge.from != from || edge.to != to || edge.operand != address.operand.value_or(edge.operand))
        continue;
      auto function = dyn_cast<func::FuncOp>(body.function);
      if (!function)
        return fail("the edge is in a " + body.function->getName().getStringRef().str() +
                    ", which passes do not know; run fuselage-normalize-foreign first");
      return FoundEdge{.body = &body, .edge = &edge, .function = function};
    }
  return noSuchEdge(address, from, to);
}

llvm::Expected<EdgeFusion> fuseEdge(ModuleOp module, const EdgeAddress &address, const FusionPolicy &policy,
                                    const EdgeFusionOptions &options) {
  std::vector<BodyVerdicts> bodies = judgeFusion(module, policy);
  llvm::Expected<FoundEdge> found = findEdge(module, address, bodies);
  if (!found)
    return found.takeError();
  const EdgeVerdict &edge = *found->edge;
  EdgeFusion result;
  result.function = found->function.getName().str();
  llvm::DenseMap<Operation *, OpMark> marks;
  FusionTrial trial(found->function, marks);
  auto markOf = [&](Operation *computes, Operation *holds) {
    auto mark = marks.find(computes); // of a dispatch, the op inside
    return mark != marks.end() ? mark->second : marks.at(holds);
  };
  Search search(markOf(edge.edge.producer(), edge.from), markOf(edge.edge.consumer, edge.to), policy, options, result);
  if (llvm::Error error = search.run(std::move(trial), marks.size()))
    return error;
  if (search.wasStopped())
    return fail("cancelled: the search for transforms was ended");
  return result;
}

} // namespace fuselage

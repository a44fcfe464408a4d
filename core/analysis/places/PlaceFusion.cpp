#include "core/analysis/places/PlaceFusion.h"
#include "core/analysis/fusion/FusionTrial.h"
#include "core/ir/layers/EqualOps.h"
#include "core/ir/module/Splits.h"
#include "core/transforms/places/OutlinedPlace.h"
#include "core/transforms/places/PlaceFinder.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {

namespace {

class PlaceSearch {
public:
  PlaceSearch(const BodyVerdicts &body, const EdgeVerdict &edge, func::FuncOp function, const FusionPolicy &policy,
              const EdgeFusionOptions &options)
      : body_(body), edge_(edge), function_(function), policy_(policy), options_(options) {}
  /// `from` and `to`: the numbers of the edge's ops.
  llvm::Expected<EdgeFusion> run(OpId from, OpId to);

private:
  bool hasOtherPlace(ArrayRef<Operation *> ops);
  llvm::Expected<EdgeFusion> search(ArrayRef<Operation *> ops);
  std::vector<std::pair<std::string, std::string>> listsToTry(const EdgeFusion &found) const;
  struct Dispatches {
    unsigned before = 0, after = 0;
  };
  llvm::Expected<std::optional<Dispatches>> tryInFunction(unsigned reach, StringRef passes);
  llvm::Expected<const MarkedVerdicts *> judgeBefore(bool formed);

  const BodyVerdicts &body_;
  const EdgeVerdict &edge_;
  func::FuncOp function_;
  const FusionPolicy &policy_;
  const EdgeFusionOptions &options_;
  EqualOps equal_;
  unsigned tries_ = 0;
  llvm::DenseMap<Operation *, OpMark> marks_;
  std::optional<FusionTrial> trial_;                    ///< of the function
  std::optional<MarkedVerdicts> before_, formedBefore_; ///< as planned, and as if all dispatches were formed
};

} // namespace

/// Whether an edge that is equal to this one, and shares no op with it, is among the ops.
bool PlaceSearch::hasOtherPlace(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 32> own(ops.begin(), ops.end());
  Block *block = ops.front()->getBlock();
  auto isIn = [&](Operation *op) { return own.contains(block->findAncestorOpInBlock(*op)); };
  return llvm::any_of(body_.edges, [&](const EdgeVerdict &other) {
    return other.verdict == Verdict::Separate && other.from != edge_.from && other.to != edge_.to && isIn(other.from) &&
           isIn(other.to) && equal_.of(other.from) == equal_.of(edge_.from) &&
           equal_.of(other.to) == equal_.of(edge_.to);
  });
}

/// fuseEdge() on a copy of the ops.
llvm::Expected<EdgeFusion> PlaceSearch::search(ArrayRef<Operation *> ops) {
  OutlinedPlace place(ops);
  EdgeAddress address{.from = -1, .to = -1, .operand = edge_.operand};
  OpId next = 0;
  place.module()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == place.copyOf(edge_.from))
      address.from = next;
    if (op == place.copyOf(edge_.to))
      address.to = next;
    ++next;
  });
  EdgeFusionOptions options = options_;
  options.proceed = [&](StringRef pass, unsigned tries) {
    return !options_.proceed || options_.proceed(pass, tries_ + tries);
  };
  llvm::Expected<EdgeFusion> found = fuseEdge(place.module(), address, policy_, options);
  if (found)
    tries_ += found->tries;
  return found;
}

llvm::Expected<const MarkedVerdicts *> PlaceSearch::judgeBefore(bool formed) {
  std::optional<MarkedVerdicts> &before = formed ? formedBefore_ : before_;
  if (!before) {
    llvm::Expected<MarkedVerdicts> verdicts = trial_->judge(policy_, JudgedFor::Counts, formed);
    if (!verdicts)
      return verdicts.takeError();
    before.emplace(std::move(*verdicts));
  }
  return &*before;
}

/// The dispatches of the function before and after, if the passes fuse the edge there; nullopt: they do not.
llvm::Expected<std::optional<PlaceSearch::Dispatches>> PlaceSearch::tryInFunction(unsigned reach, StringRef passes) {
  if (options_.proceed && !options_.proceed("fuselage-fuse-at", tries_))
    return fail("cancelled: the search for transforms was ended");
  ++tries_;
  if (!trial_)
    trial_.emplace(function_, marks_);
  FusionTrial copy = trial_->copy();
  auto markOf = [&](Operation *computes, Operation *holds) {
    auto mark = marks_.find(computes); // of a dispatch, the op inside
    return mark != marks_.end() ? mark->second : marks_.at(holds);
  };
  if (llvm::Error error = copy.runAt(marks_.at(edge_.from), marks_.at(edge_.to), reach, passes)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  llvm::Expected<const MarkedVerdicts *> before = judgeBefore(copy.hasDispatchRegions());
  if (!before)
    return before.takeError();
  llvm::Expected<MarkedVerdicts> after = copy.judge(policy_, JudgedFor::Counts);
  if (!after)
    return after.takeError();
  if (!after->isFused(markOf(edge_.edge.producer(), edge_.from), markOf(edge_.edge.consumer, edge_.to), **before))
    return std::nullopt;
  return Dispatches{.before = (*before)->dispatches(), .after = after->dispatches()};
}

/// Passes that may fuse the edge in its function, each list with the reason that names it: what fuses it in the copy
/// or, where it is no separate edge there, what the verdict in the function names.
std::vector<std::pair<std::string, std::string>> PlaceSearch::listsToTry(const EdgeFusion &found) const {
  std::vector<std::pair<std::string, std::string>> lists;
  if (!found.fused)
    return lists;
  if (!found.steps.empty()) {
    std::string passes =
        llvm::join(llvm::map_range(found.steps, [](const FusionStep &step) { return step.pass; }), ",");
    lists.emplace_back(std::move(passes), found.steps.front().reason);
    return lists;
  }
  for (StringRef name : edge_.unlocks())
    lists.emplace_back("fuselage-" + name.str(), infoOf(edge_.refusals.front().reason).code.str());
  return lists;
}

llvm::Expected<EdgeFusion> PlaceSearch::run(OpId from, OpId to) {
  constexpr unsigned mostReach = 8;
  constexpr size_t mostOps = 400;
  EdgeFusion result;
  size_t size = 0;
  for (unsigned reach = 0; reach <= mostReach; ++reach) {
    llvm::Expected<SmallVector<Operation *>> ops = findPlace(edge_.from, edge_.to, reach);
    if (!ops) {
      std::string why = takeFailure(ops.takeError()).message;
      if (reach == 0) // an answer: the edge has no place of its own
        result.reasons = {std::move(why)};
      break;
    }
    if (ops->size() == size || ops->size() > mostOps || (reach > 0 && hasOtherPlace(*ops)))
      break;
    size = ops->size();
    llvm::Expected<EdgeFusion> found = search(*ops);
    if (!found)
      return found;
    if (!found->fused)
      result.reasons = std::move(found->reasons);
    result.gaveUp |= found->gaveUp;
    for (const std::string &name : found->tried)
      if (!llvm::is_contained(result.tried, name))
        result.tried.push_back(name);
    for (const auto &[passes, reason] : listsToTry(*found)) {
      llvm::Expected<std::optional<Dispatches>> dispatches = tryInFunction(reach, passes);
      if (!dispatches)
        return dispatches.takeError();
      if (!*dispatches)
        continue;
      std::string pass = "fuselage-fuse-at{from=" + std::to_string(from) + " passes=" + passes +
                         " reach=" + std::to_string(reach) + " to=" + std::to_string(to) + "}";
      std::string pipeline = "builtin.module(" + pass + ")";
      return EdgeFusion{.fused = true,
                        .steps = {{.pass = std::move(pass), .reason = reason, .dispatches = (*dispatches)->after}},
                        .pipeline = std::move(pipeline),
                        .dispatches = (*dispatches)->before,
                        .tries = tries_};
    }
  }
  result.tries = tries_;
  result.reasons.insert(result.reasons.begin(), "no passes on the " + std::to_string(size) +
                                                    " ops around this edge fuse it; try to fuse it in its function");
  return result;
}

llvm::Expected<EdgeFusion> fusePlace(ModuleOp module, const EdgeAddress &address, const FusionPolicy &policy,
                                     const EdgeFusionOptions &options) {
  if (SmallVector<ModuleOp> parts = splitModules(module); parts.size() != 1 || parts.front() != module)
    return fail("this file has several modules, and ops have other numbers in each: fuse the edge in its function, or "
                "open one of the modules by itself");
  std::vector<BodyVerdicts> bodies = judgeFusion(module, policy);
  llvm::Expected<FoundEdge> found = findEdge(module, address, bodies);
  if (!found)
    return found.takeError();
  EdgeFusion result;
  if (found->edge->verdict == Verdict::Separate) {
    llvm::Expected<EdgeFusion> place =
        PlaceSearch(*found->body, *found->edge, found->function, policy, options).run(address.from, address.to);
    if (!place)
      return place;
    result = std::move(*place);
  } else {
    result.fused = true;
  }
  result.function = found->function.getName().str();
  return result;
}

} // namespace fuselage

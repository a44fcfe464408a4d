#include "core/analysis/fusion/UnlockProofs.h"
#include "core/analysis/fusion/FusionTrial.h"
#include "core/ir/layers/ShortFunction.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <optional>

using namespace mlir;

namespace fuselage {

namespace {

/// The separate edges of a function, and what fuses them.
class Prover {
public:
  Prover(BodyVerdicts &body, const FusionPolicy &policy, const UnlockProofOptions &options)
      : body_(body), policy_(policy), options_(options) {}
  /// Tries transforms on the function itself.
  llvm::Error run(func::FuncOp function);
  /// Tries them on a few of its equal layers. False: what comes out of these does not hold for the others.
  llvm::Expected<bool> run(func::FuncOp function, const ShortFunction &few);

private:
  /// The ends of an edge in the function, and the number of the operand.
  using Ends = std::tuple<Operation *, Operation *, unsigned>;
  Ends endsOf(const EdgeVerdict &edge) const;
  llvm::Error tryAll(const FusionTrial &trial, const llvm::DenseMap<Operation *, OpMark> &marks,
                     llvm::function_ref<std::optional<ShortFunction::Edge>(ShortFunction::Edge)> onTrial);
  bool passOn(const ShortFunction &few);
  std::optional<MarkedVerdicts> verdictsAfter(const FusionTrial &trial, ArrayRef<StringRef> transforms) const;
  void tryTransform(const FusionTrial &trial, const MarkedVerdicts &before, StringRef name,
                    llvm::function_ref<bool(const EdgeVerdict &)> isAsked);
  void keepWhatWorksTogether(const FusionTrial &trial, const MarkedVerdicts &before);
  llvm::SmallSetVector<StringRef, 16> candidates() const;

  BodyVerdicts &body_;
  const FusionPolicy &policy_;
  const UnlockProofOptions &options_;
  /// A separate edge on trial, and the marks of its ends there.
  struct Tried {
    EdgeVerdict *edge;
    OpMark from, to;
    bool isFused(const MarkedVerdicts &after, const MarkedVerdicts &before) const {
      return after.isFused(from, to, before);
    }
  };
  std::vector<Tried> tried_{};
};

} // namespace

llvm::SmallSetVector<StringRef, 16> Prover::candidates() const {
  llvm::SmallSetVector<StringRef, 16> names;
  for (const Tried &tried : tried_)
    names.insert_range(tried.edge->unlocks());
  return names;
}

/// What transforms, one after the other, make of a copy; nullopt: they fail.
std::optional<MarkedVerdicts> Prover::verdictsAfter(const FusionTrial &trial, ArrayRef<StringRef> transforms) const {
  FusionTrial copy = trial.copy();
  std::string passes =
      llvm::join(llvm::map_range(transforms, [](StringRef name) { return ("fuselage-" + name).str(); }), ",");
  if (llvm::Error error = copy.run(passes)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return llvm::expectedToOptional(copy.judge(policy_));
}

/// Of a dispatch, the op inside: the region itself may become part of another one.
Prover::Ends Prover::endsOf(const EdgeVerdict &edge) const {
  auto originalOf = [&](Operation *computes, Operation *holds) {
    Operation *original = options_.originalOf(computes);
    return original ? original : options_.originalOf(holds);
  };
  return {originalOf(edge.edge.producer(), edge.from), originalOf(edge.edge.consumer, edge.to), edge.operand};
}

/// Runs one transform on a copy, and notes the edges among those asked for that are fused then.
void Prover::tryTransform(const FusionTrial &trial, const MarkedVerdicts &before, StringRef name,
                          llvm::function_ref<bool(const EdgeVerdict &)> isAsked) {
  std::optional<MarkedVerdicts> after = verdictsAfter(trial, name);
  if (!after)
    return;
  for (const Tried &tried : tried_)
    if (isAsked(*tried.edge) && tried.isFused(*after, before))
      tried.edge->proven.push_back(name);
}

/// A list of unlocks is also read as steps to take. Where one undoes what another needs, the first stays.
void Prover::keepWhatWorksTogether(const FusionTrial &trial, const MarkedVerdicts &before) {
  std::map<std::vector<StringRef>, std::vector<const Tried *>> lists;
  for (const Tried &tried : tried_)
    if (tried.edge->proven.size() > 1)
      lists[{tried.edge->proven.begin(), tried.edge->proven.end()}].push_back(&tried);
  for (const auto &[names, edges] : lists) {
    std::optional<MarkedVerdicts> after = verdictsAfter(trial, names);
    for (const Tried *tried : edges)
      if (!after || !tried->isFused(*after, before))
        tried->edge->proven.resize(1);
  }
}

/// `onTrial`: the ops of the trial, by marks, that are the ends of an edge of the function; nullopt: it is not there.
llvm::Error Prover::tryAll(const FusionTrial &trial, const llvm::DenseMap<Operation *, OpMark> &marks,
                           llvm::function_ref<std::optional<ShortFunction::Edge>(ShortFunction::Edge)> onTrial) {
  for (EdgeVerdict &edge : body_.edges) {
    auto [from, to, operand] = endsOf(edge);
    if (edge.verdict != Verdict::Separate || !from || !to)
      continue;
    std::optional<ShortFunction::Edge> there = onTrial({.from = from, .to = to});
    if (there && marks.contains(there->from) && marks.contains(there->to))
      tried_.push_back({.edge = &edge, .from = marks.lookup(there->from), .to = marks.lookup(there->to)});
  }
  llvm::Expected<MarkedVerdicts> before = trial.judge(policy_);
  if (!before)
    return before.takeError();
  for (StringRef name : candidates())
    tryTransform(trial, *before, name,
                 [&](const EdgeVerdict &edge) { return llvm::is_contained(edge.unlocks(), name); });
  for (StringRef preset : {"fusion-cleanup", "fuse-all"}) {
    auto isLocked = [](const EdgeVerdict &edge) { return edge.proven.empty(); };
    if (llvm::any_of(tried_, [&](const Tried &tried) { return isLocked(*tried.edge); }))
      tryTransform(trial, *before, preset, isLocked);
  }
  keepWhatWorksTogether(trial, *before);
  return llvm::Error::success();
}

llvm::Error Prover::run(func::FuncOp function) {
  llvm::DenseMap<Operation *, OpMark> marks;
  FusionTrial trial(function, marks);
  return tryAll(trial, marks, [](ShortFunction::Edge edge) { return std::optional(edge); });
}

/// Gives the edges of layers left out what fuses those that speak for them. False: the layer that speaks and the one
/// before it do not come out alike, or an edge has nobody to speak for it.
bool Prover::passOn(const ShortFunction &few) {
  std::map<Ends, const EdgeVerdict *> separate;
  for (const Tried &tried : tried_)
    separate[endsOf(*tried.edge)] = tried.edge;
  auto find = [&](ShortFunction::Edge ends, unsigned operand) {
    auto found = separate.find({ends.from, ends.to, operand});
    return found == separate.end() ? nullptr : found->second;
  };
  for (const Tried &tried : tried_) {
    const EdgeVerdict *edge = tried.edge;
    auto [from, to, operand] = endsOf(*edge);
    std::optional<ShortFunction::Edge> witness = few.witnessOf({.from = from, .to = to});
    const EdgeVerdict *other = witness ? find(*witness, operand) : edge;
    if (!other || other->proven != edge->proven)
      return false;
  }
  for (EdgeVerdict &edge : body_.edges) {
    auto [from, to, operand] = endsOf(edge);
    if (edge.verdict != Verdict::Separate || !from || !to || few.copyOf({.from = from, .to = to}))
      continue;
    const EdgeVerdict *speaker = find(few.speakerOf({.from = from, .to = to}), operand);
    if (!speaker)
      return false;
    edge.proven = speaker->proven;
  }
  return true;
}

llvm::Expected<bool> Prover::run(func::FuncOp function, const ShortFunction &few) {
  llvm::DenseMap<Operation *, OpMark> marks;
  FusionTrial trial(few.get(), marks, function->getParentWithTrait<OpTrait::SymbolTable>());
  if (llvm::Error error = tryAll(trial, marks, [&](ShortFunction::Edge edge) { return few.copyOf(edge); }))
    return std::move(error);
  return passOn(few);
}

static size_t countOps(Operation *function) {
  size_t count = 0;
  function->walk([&](Operation *) { ++count; });
  return count;
}

/// Whether all is proven that can be. `ops`: those tried so far.
static bool proveBody(BodyVerdicts &body, func::FuncOp function, const FusionPolicy &policy,
                      const UnlockProofOptions &options, size_t &ops) {
  if (options.maxOps == 0)
    return false;
  auto fits = [&](func::FuncOp one) {
    size_t own = countOps(one);
    if (ops + own > options.maxOps)
      return false;
    ops += own;
    return true;
  };
  if (std::optional<ShortFunction> few = options.fewLayers ? ShortFunction::of(function) : std::nullopt;
      few && fits(few->get())) {
    llvm::Expected<bool> holds = Prover(body, policy, options).run(function, *few);
    if (holds && *holds)
      return true;
    llvm::consumeError(holds.takeError());
    for (EdgeVerdict &edge : body.edges)
      edge.proven.clear();
  }
  if (!fits(function))
    return false;
  // A function that cannot be judged again has no unlocks.
  llvm::consumeError(Prover(body, policy, options).run(function));
  return true;
}

void proveUnlocks(llvm::MutableArrayRef<BodyVerdicts> bodies, const FusionPolicy &policy,
                  const UnlockProofOptions &options) {
  size_t ops = 0;
  for (BodyVerdicts &body : bodies) {
    bool isMissed = llvm::any_of(body.edges, [](const EdgeVerdict &edge) { return edge.verdict == Verdict::Separate; });
    auto function = dyn_cast_if_present<func::FuncOp>(options.originalOf(body.function));
    if (!isMissed || !function) {
      body.isProven = true;
      continue;
    }
    body.isProven = proveBody(body, function, policy, options, ops);
  }
}

} // namespace fuselage

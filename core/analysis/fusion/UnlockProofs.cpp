#include "core/analysis/fusion/UnlockProofs.h"
#include "core/analysis/fusion/FusionTrial.h"
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
  llvm::Error run(func::FuncOp function);

private:
  std::optional<MarkedVerdicts> verdictsAfter(const FusionTrial &trial, ArrayRef<StringRef> transforms) const;
  bool isFused(const EdgeVerdict &edge, const MarkedVerdicts &after, const MarkedVerdicts &before) const;
  void tryTransform(const FusionTrial &trial, const MarkedVerdicts &before, StringRef name,
                    llvm::function_ref<bool(const EdgeVerdict &)> isAsked);
  void keepWhatWorksTogether(const FusionTrial &trial, const MarkedVerdicts &before);
  llvm::SmallSetVector<StringRef, 16> candidates() const;

  BodyVerdicts &body_;
  const FusionPolicy &policy_;
  const UnlockProofOptions &options_;
  llvm::DenseMap<Operation *, OpMark> marks_{};
};

} // namespace

llvm::SmallSetVector<StringRef, 16> Prover::candidates() const {
  llvm::SmallSetVector<StringRef, 16> names;
  for (const EdgeVerdict &edge : body_.edges)
    names.insert_range(edge.unlocks());
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

bool Prover::isFused(const EdgeVerdict &edge, const MarkedVerdicts &after, const MarkedVerdicts &before) const {
  auto markOf = [&](Operation *computes, Operation *holds) {
    // Of a dispatch, the op inside: the region itself may become part of another one.
    auto mark = marks_.find(options_.originalOf(computes));
    return mark != marks_.end() ? mark : marks_.find(options_.originalOf(holds));
  };
  auto from = markOf(edge.edge.producer(), edge.from), to = markOf(edge.edge.consumer, edge.to);
  return from != marks_.end() && to != marks_.end() && after.isFused(from->second, to->second, before);
}

/// Runs one transform on a copy, and notes the edges among those asked for that are fused then.
void Prover::tryTransform(const FusionTrial &trial, const MarkedVerdicts &before, StringRef name,
                          llvm::function_ref<bool(const EdgeVerdict &)> isAsked) {
  std::optional<MarkedVerdicts> after = verdictsAfter(trial, name);
  if (!after)
    return;
  for (EdgeVerdict &edge : body_.edges)
    if (edge.verdict == Verdict::Separate && isAsked(edge) && isFused(edge, *after, before))
      edge.proven.push_back(name);
}

/// A list of unlocks is also read as steps to take. Where one undoes what another needs, the first stays.
void Prover::keepWhatWorksTogether(const FusionTrial &trial, const MarkedVerdicts &before) {
  std::map<std::vector<StringRef>, std::vector<EdgeVerdict *>> lists;
  for (EdgeVerdict &edge : body_.edges)
    if (edge.proven.size() > 1)
      lists[{edge.proven.begin(), edge.proven.end()}].push_back(&edge);
  for (const auto &[names, edges] : lists) {
    std::optional<MarkedVerdicts> after = verdictsAfter(trial, names);
    for (EdgeVerdict *edge : edges)
      if (!after || !isFused(*edge, *after, before))
        edge->proven.resize(1);
  }
}

llvm::Error Prover::run(func::FuncOp function) {
  FusionTrial trial(function, marks_);
  llvm::Expected<MarkedVerdicts> before = trial.judge(policy_);
  if (!before)
    return before.takeError();
  for (StringRef name : candidates())
    tryTransform(trial, *before, name,
                 [&](const EdgeVerdict &edge) { return llvm::is_contained(edge.unlocks(), name); });
  for (StringRef preset : {"fusion-cleanup", "fuse-all"}) {
    auto isLocked = [](const EdgeVerdict &edge) { return edge.proven.empty(); };
    if (llvm::any_of(body_.edges,
                     [&](const EdgeVerdict &edge) { return edge.verdict == Verdict::Separate && isLocked(edge); }))
      tryTransform(trial, *before, preset, isLocked);
  }
  keepWhatWorksTogether(trial, *before);
  return llvm::Error::success();
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
    size_t own = 0;
    function->walk([&](Operation *) { ++own; });
    if (ops + own > options.maxOps)
      continue;
    ops += own;
    // A function that cannot be judged again has no unlocks.
    llvm::consumeError(Prover(body, policy, options).run(function));
    body.isProven = true;
  }
}

} // namespace fuselage

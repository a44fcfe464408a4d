#include "core/analysis/fusion/UnlockProofs.h"
#include "core/analysis/fusion/FusionTrial.h"
#include "llvm/ADT/SetVector.h"

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
  void tryTransform(const FusionTrial &trial, const MarkedVerdicts &before, StringRef name,
                    llvm::function_ref<bool(const EdgeVerdict &)> isAsked);
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

/// Runs one transform on a copy, and notes the edges among those asked for that are fused then.
void Prover::tryTransform(const FusionTrial &trial, const MarkedVerdicts &before, StringRef name,
                          llvm::function_ref<bool(const EdgeVerdict &)> isAsked) {
  FusionTrial copy = trial.copy();
  if (llvm::Error error = copy.run("fuselage-" + name.str())) {
    llvm::consumeError(std::move(error));
    return;
  }
  llvm::Expected<MarkedVerdicts> after = copy.judge(policy_);
  if (!after) {
    llvm::consumeError(after.takeError());
    return;
  }
  for (EdgeVerdict &edge : body_.edges) {
    if (edge.verdict != Verdict::Separate || !isAsked(edge))
      continue;
    auto from = marks_.find(options_.originalOf(edge.from)), to = marks_.find(options_.originalOf(edge.to));
    if (from != marks_.end() && to != marks_.end() && after->isFused(from->second, to->second, before))
      edge.proven.push_back(name);
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
    if (llvm::any_of(body_.edges, [&](const EdgeVerdict &edge) {
          return edge.verdict == Verdict::Separate && isLocked(edge);
        }))
      tryTransform(trial, *before, preset, isLocked);
  }
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

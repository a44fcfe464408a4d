// Which of the separate edges could be fused, whatever the policy says.
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/analysis/fusion/PairTrial.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace fuselage {

/// Different pairs that are tried, so that it ends in seconds. Models have some tens.
constexpr size_t kMaxPairs = 1000;

std::optional<bool> EdgeVerdict::isLegal() const {
  bool isOnlyPolicy =
      llvm::all_of(refusals, [](const Refusal &refusal) { return infoOf(refusal.reason).legal; });
  return verdict != Verdict::Separate || isOnlyPolicy ? std::optional(true) : sharesLoops;
}

void tryToShareLoops(llvm::MutableArrayRef<BodyVerdicts> bodies) {
  llvm::StringMap<bool> known;
  for (BodyVerdicts &body : bodies) {
    ScopedDiagnosticHandler silence(body.function->getContext(), [](Diagnostic &) { return success(); });
    for (EdgeVerdict &edge : body.edges) {
      if (edge.isLegal())
        continue;
      edge.sharesLoops = false;
      if (edge.edge.isCaptured())
        continue;
      PairTrial trial(edge.edge.value, *edge.edge.use);
      if (!trial.isPossible())
        continue;
      std::string key = trial.key();
      auto found = known.find(key);
      if (found == known.end() && known.size() < kMaxPairs)
        found = known.insert({key, trial.run()}).first;
      edge.sharesLoops = found == known.end() ? std::nullopt : std::optional(found->second);
    }
  }
}

} // namespace fuselage

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
  bool isOnlyPolicy = llvm::all_of(refusals, [](const Refusal &refusal) { return infoOf(refusal.reason).legal; });
  return verdict != Verdict::Separate || isOnlyPolicy ? std::optional(true) : sharesLoops;
}

/// Whether the payloads could be merged, were it not for the names of the ops.
static bool isOnlyNamed(const FusionEdge &edge) {
  return isa<linalg::LinalgOp>(edge.producer()) && isa<linalg::LinalgOp>(edge.consumer) &&
         llvm::all_of(elementwiseRefusals(edge),
                      [](const Refusal &refusal) { return refusal.reason == FusionReason::NotGeneric; });
}

void tryToShareLoops(llvm::MutableArrayRef<BodyVerdicts> bodies) {
  llvm::StringMap<bool> known;
  for (BodyVerdicts &body : bodies) {
    ScopedDiagnosticHandler silence(body.function->getContext(), [](mlir::Diagnostic &) { return success(); });
    for (EdgeVerdict &edge : body.edges) {
      if (edge.isLegal())
        continue;
      edge.sharesLoops = false;
      if (edge.edge.isCaptured())
        continue;
      if (isOnlyNamed(edge.edge)) {
        edge.sharesLoops = true;
        continue;
      }
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

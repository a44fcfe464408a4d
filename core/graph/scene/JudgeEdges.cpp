#include "core/graph/scene/JudgeEdges.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include <set>

namespace fuselage {

llvm::Expected<EdgeVerdicts> judgeEdges(mlir::ModuleOp module, const FusionPolicy &policy, bool tries,
                                        const std::atomic<bool> *cancelled) {
  constexpr size_t mostOps = 50'000;
  size_t ops = 0;
  bool isLarge = module
                     ->walk([&](mlir::Operation *) {
                       return ++ops > mostOps ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
                     })
                     .wasInterrupted();
  if (isLarge)
    return EdgeVerdicts();
  UnlockProofOptions proofs;
  proofs.cancelled = cancelled;
  if (!tries)
    proofs.maxOps = 0;
  auto report = explainFusion(module, policy, kDefaultGbps, proofs);
  if (!report)
    return report.takeError();
  return edgeVerdicts(*report);
}

void nameLayers(message::FusionReport<> &report, const LayerNames &names) {
  for (message::FusionGroup<> &group : report.groups) {
    if (group.edges.size() < 2)
      continue;
    std::set<std::string> known;
    for (int64_t edge : group.edges)
      if (std::string name = names.of(report.edges[edge].to); !name.empty() && known.insert(name).second)
        group.layers.push_back(std::move(name));
  }
}

} // namespace fuselage

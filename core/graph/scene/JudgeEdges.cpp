#include "core/graph/scene/JudgeEdges.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionRemarks.h"

namespace fuselage {

llvm::Expected<EdgeVerdicts> judgeEdges(mlir::ModuleOp module, const FusionPolicy &policy) {
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
  proofs.maxOps = 0;
  auto report = explainFusion(module, policy, kDefaultGbps, proofs);
  if (!report)
    return report.takeError();
  return edgeVerdicts(*report);
}

} // namespace fuselage

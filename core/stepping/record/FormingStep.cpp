#include "core/stepping/record/FormingStep.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

static bool hasFormedDispatches(mlir::ModuleOp module) {
  DispatchFinder finder;
  return module
      .walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
        return finder.find(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::Expected<const Step *> findFormingStep(const Recording &recording, unsigned snapshot,
                                             llvm::function_ref<llvm::Expected<mlir::ModuleOp>(unsigned)> module) {
  const std::vector<Step> &steps = recording.steps;
  int at = static_cast<int>(snapshot);
  for (size_t guard = 0; guard < steps.size(); ++guard) {
    auto step = llvm::find_if(llvm::reverse(steps), [&](const Step &candidate) {
      return candidate.after == at && candidate.before >= 0 && candidate.before != at;
    });
    if (step == steps.rend())
      return nullptr;
    auto before = module(step->before);
    if (!before)
      return before.takeError();
    if (!hasFormedDispatches(*before))
      return &*step;
    at = step->before;
  }
  return nullptr;
}

} // namespace fuselage

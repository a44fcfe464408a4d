#include "core/stepping/report/DispatchStep.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/transforms/dispatch/DispatchFormation.h"

namespace fuselage {

/// Whether the text of a step's IR has an op of that name.
static bool holds(const Recording &recording, const Step &step, llvm::StringRef op) {
  const Snapshot *snapshot = recording.after(step);
  if (!snapshot)
    return false;
  bool isThere = llvm::StringRef(snapshot->lines().text()).contains(op);
  if (snapshot->isDump())
    snapshot->releaseText();
  return isThere;
}

std::optional<unsigned> lastStepWithDispatches(const Recording &recording) {
  for (llvm::StringRef op : {"flow.dispatch", "dispatch"})
    for (size_t i = recording.steps.size(); i-- > 0;)
      if (!recording.steps[i].failed && holds(recording, recording.steps[i], op))
        return unsigned(i);
  return std::nullopt;
}

bool hasDispatches(mlir::ModuleOp module) {
  mlir::WalkResult found = module->walk([](mlir::Operation *op) {
    OpRole role = decode(op).role;
    bool isOne = role == OpRole::DispatchRegion || role == OpRole::DispatchCall || op->hasAttr(kDispatchAttr);
    return isOne ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

} // namespace fuselage

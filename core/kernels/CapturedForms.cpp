#include "core/kernels/CapturedForms.h"

using namespace mlir;

namespace fuselage {

static OwningOpRef<ModuleOp> copyOf(ModuleOp module) { return OwningOpRef<ModuleOp>(module.clone()); }

void CapturedForms::begins(ModuleOp module) {
  begun = copyOf(module);
  for (OwningOpRef<ModuleOp> *later : {&mapped, &lowered, &beforeBinary})
    *later = nullptr;
}
void CapturedForms::isMapped(ModuleOp module) { mapped = copyOf(module); }
void CapturedForms::isLowered(ModuleOp module) { lowered = copyOf(module); }

void CapturedForms::lowers(Pass &pass, ModuleOp module) {
  if (pass.getArgument() == "gpu-module-to-binary")
    beforeBinary = copyOf(module);
}

} // namespace fuselage

#include "core/kernels/CapturedForms.h"
#include "core/dialects/device/DeviceAttr.h"

using namespace mlir;

namespace fuselage {

/// What the user reads says nothing about the device: that is what kernels are shown for.
static OwningOpRef<ModuleOp> copyOf(ModuleOp module) {
  OwningOpRef<ModuleOp> copy(module.clone());
  (*copy)->removeAttr(kDeviceAttr);
  return copy;
}

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

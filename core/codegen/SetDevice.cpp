#include "core/codegen/Passes.h"
#include "core/codegen/Targets.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {
#define GEN_PASS_DEF_SETDEVICEPASS
#define GEN_PASS_DEF_DROPDEVICEPASS
#include "core/codegen/Passes.h.inc"
} // namespace fuselage

namespace {

struct SetDevice : fuselage::impl::SetDevicePassBase<SetDevice> {
  using SetDevicePassBase::SetDevicePassBase;

  void runOnOperation() override {
    if (name.empty()) {
      getOperation()->emitError("fuselage-set-device has no name: give a known device, a device file, spirv or ptx");
      return signalPassFailure();
    }
    if (llvm::StringRef(name).starts_with("#")) {
      auto device = mlir::dyn_cast_if_present<fuselage::DeviceAttr>(mlir::parseAttribute(name, &getContext()));
      if (!device) {
        getOperation()->emitError() << "'" << name << "' is no #fuselage.device<...>";
        return signalPassFailure();
      }
      getOperation()->setAttr(fuselage::kDeviceAttr, device);
      return;
    }
    auto target = fuselage::targetNamed(name);
    if (!target) {
      getOperation()->emitError() << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    target->tf32 = tf32;
    fuselage::setDevice(getOperation(), fuselage::kernelDevice(*target));
  }
};

struct DropDevice : fuselage::impl::DropDevicePassBase<DropDevice> {
  void runOnOperation() override { getOperation()->removeAttr(fuselage::kDeviceAttr); }
};

} // namespace

#include "core/kernels/KernelCodeOptions.h"
#include "core/codegen/Targets.h"
#include "core/device/HostProcessor.h"
#include "core/device/KnownDevices.h"

namespace fuselage {

void KernelCodeOptions::setTarget(const TargetOptions &ofDevice) {
  target = ofDevice;
  chip = ofDevice.chip;
  switch (ofDevice.target) {
  case KernelTarget::Spirv:
    form = KernelForm::Spirv;
    break;
  case KernelTarget::Ptx:
    form = KernelForm::Ptx;
    break;
  case KernelTarget::Host:
    form = KernelForm::Host;
    break;
  }
}

llvm::Error KernelCodeOptions::setKnownDevice(llvm::StringRef nameOrPath) {
  auto device = knownDeviceOrFile(nameOrPath);
  if (!device)
    return device.takeError();
  if (isHost(*device)) {
    form = KernelForm::Host;
    return llvm::Error::success();
  }
  auto options = targetFor(*device);
  if (!options)
    return options.takeError();
  setTarget(*options);
  return llvm::Error::success();
}

} // namespace fuselage

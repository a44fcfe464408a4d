#include "core/kernels/KernelCodeOptions.h"
#include "core/codegen/Targets.h"
#include "core/device/KnownDevices.h"

namespace fuselage {

llvm::Error KernelCodeOptions::setKnownDevice(llvm::StringRef nameOrPath) {
  auto device = knownDeviceOrFile(nameOrPath);
  if (!device)
    return device.takeError();
  if (device->language.value == "host") {
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

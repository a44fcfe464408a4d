#include "core/codegen/Targets.h"
#include "core/codegen/CudaToolkit.h"
#include "core/device/KnownDevices.h"
#include "core/device/PtxVersion.h"

using llvm::StringRef;

namespace fuselage {

llvm::Expected<TargetOptions> targetByName(StringRef name) {
  TargetOptions options;
  if (name == "ptx") {
    options.target = KernelTarget::Ptx;
    options.cudaToolkit = findCudaToolkit();
  } else if (name != "spirv" && !name.empty()) {
    return fail("unknown target '" + name.str() + "'; targets are spirv and ptx");
  }
  return options;
}

llvm::Expected<TargetOptions> targetFor(const DeviceModel &device) {
  auto options = targetByName(device.language.value);
  if (!options)
    return fail("no kernels are made for " + device.name + ": its language is " + device.language.value +
                ", and kernels are in spirv or ptx");
  options->device = device;
  if (options->target == KernelTarget::Ptx) {
    options->chip = device.chip.value;
    options->features = ptxFeatureOf(device.chip.value);
  }
  return options;
}

llvm::Expected<TargetOptions> targetByNameOrDevice(StringRef name, StringRef known) {
  if (known.empty())
    return targetByName(name);
  auto device = knownDeviceOrFile(known);
  if (!device)
    return device.takeError();
  return targetFor(*device);
}

} // namespace fuselage

#include "core/codegen/Targets.h"
#include "core/codegen/MatrixInstructions.h"
#include "core/device/CudaToolkit.h"
#include "core/device/KnownDevices.h"
#include "core/device/NvidiaChips.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"

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

llvm::Expected<TargetOptions> targetNamed(StringRef name) {
  if (name == "spirv" || name == "ptx")
    return targetByName(name);
  auto device = knownDeviceOrFile(name);
  if (!device)
    return device.takeError();
  return targetFor(*device);
}

llvm::Expected<TargetOptions> targetByNameOrDevice(StringRef name, StringRef known) {
  return known.empty() ? targetByName(name) : targetNamed(known);
}

const char *languageOf(KernelTarget target) {
  switch (target) {
  case KernelTarget::Spirv:
    return "spirv";
  case KernelTarget::Ptx:
    return "ptx";
  case KernelTarget::Host:
    return "host";
  }
  llvm_unreachable("a target that has no language");
}

DeviceModel kernelDevice(const TargetOptions &options) {
  const char *source = "the target";
  DeviceModel device = options.device;
  device.language = {languageOf(options.target), source};
  if (options.target == KernelTarget::Ptx)
    device.chip = {options.chip, source};
  device.matrixShapes = {matrixShapesOf(options), source};
  return device;
}

std::string deviceNameOf(const TargetOptions &options) {
  const std::vector<DeviceFact> facts = factsOf(kernelDevice(options));
  auto isSame = [&](StringRef name) {
    auto known = targetNamed(name);
    if (!known) {
      llvm::consumeError(known.takeError());
      return false;
    }
    return llvm::equal(factsOf(kernelDevice(*known)), facts,
                       [](const DeviceFact &a, const DeviceFact &b) { return a.key == b.key && a.value == b.value; });
  };
  std::vector<StringRef> names = knownDevices();
  names.push_back("ptx");
  auto name = llvm::find_if(names, isSame);
  return name == names.end() ? "" : name->str();
}

bool isAnyDevice(const TargetOptions &options) {
  return options.target == KernelTarget::Spirv && factsOf(options.device).empty();
}

std::unique_ptr<TargetStrategy> strategyFor(const TargetOptions &options) { return strategyFor(kernelDevice(options)); }

} // namespace fuselage

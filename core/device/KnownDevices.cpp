#include "core/device/KnownDevices.h"
#include "core/device/DeviceFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

namespace fuselage {

/// The files of resources/devices, in the order of their names.
static constexpr struct {
  StringRef name, json;
} known[] = {
#include "KnownDevices.inc"
};

std::vector<StringRef> knownDevices() {
  std::vector<StringRef> names;
  for (const auto &device : known)
    names.push_back(device.name);
  return names;
}

llvm::Expected<DeviceModel> knownDeviceOrFile(StringRef nameOrPath) {
  for (const auto &device : known)
    if (device.name == nameOrPath)
      return decodeDeviceModel(device.json, device.name);
  bool isPath = nameOrPath.contains('/') || nameOrPath.ends_with(".json") || llvm::sys::fs::exists(nameOrPath);
  if (!isPath)
    return fail("there is no device '" + nameOrPath.str() + "'; give a file that describes one, or one of " +
                llvm::join(knownDevices(), ", "));
  return readDeviceFile(nameOrPath);
}

} // namespace fuselage

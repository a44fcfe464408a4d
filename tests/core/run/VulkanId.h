// The Vulkan device that runs are tested on.
#pragma once
#include "core/runtime/device/Device.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage::test {

/// Lavapipe or better; empty without a Vulkan loader.
inline std::string vulkanId() {
  for (const DeviceInfo &device : listDevices())
    if (llvm::StringRef(device.id).starts_with("vulkan:"))
      return device.id;
  return "";
}

} // namespace fuselage::test

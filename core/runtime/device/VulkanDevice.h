// Vulkan compute devices.
#pragma once
#include "core/runtime/device/Device.h"

namespace fuselage {

/// Every Vulkan device with a compute queue, as "vulkan:N" in the loader's order. Empty when there
/// is no loader or no driver.
std::vector<DeviceInfo> listVulkanDevices();

/// Failure: no Vulkan (and why), no such number, or a driver that cannot create the device.
Result<std::unique_ptr<Device>> openVulkanDevice(unsigned number);

} // namespace fuselage

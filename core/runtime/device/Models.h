// What this machine's devices say of themselves, as device models.
#pragma once
#include "core/device/DeviceModel.h"
#include "core/runtime/device/VulkanContext.h"
#include <functional>

namespace fuselage {

/// `traits` are filled but for the model.
DeviceModel vulkanModel(const VulkanInstance &instance, VkPhysicalDevice device, const VulkanTraits &traits);

/// `attribute` gives cuDeviceGetAttribute's numbers, 0 for those that the driver does not know; `chip` is "sm_90".
DeviceModel cudaModel(const std::string &name, const std::string &chip,
                      const std::function<int(int attribute)> &attribute);

} // namespace fuselage

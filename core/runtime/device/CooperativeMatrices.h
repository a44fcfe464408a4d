// Which cooperative matrices a Vulkan device has. VK_KHR_cooperative_matrix is newer than the headers that this is
// built with.
#pragma once
#include "core/runtime/device/VulkanApi.h"
#include <span>
#include <vector>

namespace fuselage {

inline constexpr const char *kCooperativeMatrixExtension = "VK_KHR_cooperative_matrix";

/// As vulkan_core.h has it since version 1.3.255.
struct CooperativeMatrixFeatures {
  VkStructureType sType = VkStructureType(1000506000);
  void *pNext = nullptr;
  VkBool32 cooperativeMatrix = VK_FALSE;
  VkBool32 cooperativeMatrixRobustBufferAccess = VK_FALSE;
};
/// One product that the device has: VkCooperativeMatrixPropertiesKHR.
struct CooperativeMatrixProperties {
  VkStructureType sType = VkStructureType(1000506001);
  void *pNext = nullptr;
  uint32_t m = 0, n = 0, k = 0;
  uint32_t a = 0, b = 0, c = 0, result = 0; ///< VkComponentTypeKHR
  VkBool32 saturates = VK_FALSE;
  uint32_t scope = 0; ///< VkScopeKHR
};

/// Whether kernels with such matrices can be made for the device: the extension, SPIR-V 1.6, Vulkan's memory model, and
/// subgroups whose size a pipeline can ask for.
bool hasCooperativeMatrices(const VulkanInstance &instance, VkPhysicalDevice device,
                            const VkPhysicalDeviceProperties &properties);

/// "m16n16k16 f16": products of f16 by subgroups that can be added up both in f32 and in f16, in the driver's order.
std::vector<std::string> cooperativeShapesOf(std::span<const CooperativeMatrixProperties> products);
/// The same, of a device for which that is so.
std::vector<std::string> cooperativeShapes(const VulkanInstance &instance, VkPhysicalDevice device);

} // namespace fuselage

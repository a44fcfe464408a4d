// The Vulkan loader, found at run time.
#pragma once
#include "core/support/Result.h"
#include <memory>
#include <string>
#include <vector>
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>
// What headers older than Vulkan 1.3 lack, as vulkan_core.h has it since.
#ifndef VK_API_VERSION_1_3
#define VK_API_VERSION_1_3 VK_MAKE_VERSION(1, 3, 0)
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES VkStructureType(53)
#define VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO VkStructureType(1000225001)
#define VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT VkPipelineShaderStageCreateFlagBits(2)
using VkPipelineShaderStageRequiredSubgroupSizeCreateInfo = VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT;
struct VkPhysicalDeviceVulkan13Features {
  VkStructureType sType;
  void *pNext;
  VkBool32 robustImageAccess, inlineUniformBlock, descriptorBindingInlineUniformBlockUpdateAfterBind,
      pipelineCreationCacheControl, privateData, shaderDemoteToHelperInvocation, shaderTerminateInvocation,
      subgroupSizeControl, computeFullSubgroups, synchronization2, textureCompressionASTC_HDR,
      shaderZeroInitializeWorkgroupMemory, dynamicRendering, shaderIntegerDotProduct, maintenance4;
};
#endif
#ifndef VK_API_VERSION_MAJOR
#define VK_API_VERSION_MAJOR VK_VERSION_MAJOR
#define VK_API_VERSION_MINOR VK_VERSION_MINOR
#define VK_API_VERSION_PATCH VK_VERSION_PATCH
#endif

namespace fuselage {

#define FUSELAGE_VULKAN_GLOBAL(X)                                                                                      \
  X(vkCreateInstance)                                                                                                  \
  X(vkEnumerateInstanceVersion)

#define FUSELAGE_VULKAN_INSTANCE(X)                                                                                    \
  X(vkDestroyInstance)                                                                                                 \
  X(vkEnumeratePhysicalDevices)                                                                                        \
  X(vkGetPhysicalDeviceProperties)                                                                                     \
  X(vkGetPhysicalDeviceProperties2)                                                                                    \
  X(vkEnumerateDeviceExtensionProperties)                                                                              \
  X(vkGetPhysicalDeviceFeatures2)                                                                                      \
  X(vkGetPhysicalDeviceMemoryProperties)                                                                               \
  X(vkGetPhysicalDeviceQueueFamilyProperties)                                                                          \
  X(vkCreateDevice)                                                                                                    \
  X(vkGetDeviceProcAddr)

#define FUSELAGE_VULKAN_DEVICE(X)                                                                                      \
  X(vkDestroyDevice)                                                                                                   \
  X(vkGetDeviceQueue)                                                                                                  \
  X(vkCreateBuffer)                                                                                                    \
  X(vkCreateBufferView)                                                                                                \
  X(vkDestroyBufferView)                                                                                               \
  X(vkDestroyBuffer)                                                                                                   \
  X(vkGetBufferMemoryRequirements)                                                                                     \
  X(vkAllocateMemory)                                                                                                  \
  X(vkFreeMemory)                                                                                                      \
  X(vkBindBufferMemory)                                                                                                \
  X(vkMapMemory)                                                                                                       \
  X(vkCreateShaderModule)                                                                                              \
  X(vkDestroyShaderModule)                                                                                             \
  X(vkCreateDescriptorSetLayout)                                                                                       \
  X(vkDestroyDescriptorSetLayout)                                                                                      \
  X(vkCreatePipelineLayout)                                                                                            \
  X(vkDestroyPipelineLayout)                                                                                           \
  X(vkCreateComputePipelines)                                                                                          \
  X(vkDestroyPipeline)                                                                                                 \
  X(vkCreateDescriptorPool)                                                                                            \
  X(vkDestroyDescriptorPool)                                                                                           \
  X(vkAllocateDescriptorSets)                                                                                          \
  X(vkUpdateDescriptorSets)                                                                                            \
  X(vkCreateCommandPool)                                                                                               \
  X(vkDestroyCommandPool)                                                                                              \
  X(vkAllocateCommandBuffers)                                                                                          \
  X(vkBeginCommandBuffer)                                                                                              \
  X(vkEndCommandBuffer)                                                                                                \
  X(vkCmdBindPipeline)                                                                                                 \
  X(vkCmdBindDescriptorSets)                                                                                           \
  X(vkCmdDispatch)                                                                                                     \
  X(vkCmdPipelineBarrier)                                                                                              \
  X(vkCmdCopyBuffer)                                                                                                   \
  X(vkCmdResetQueryPool)                                                                                               \
  X(vkCmdWriteTimestamp)                                                                                               \
  X(vkCreateQueryPool)                                                                                                 \
  X(vkDestroyQueryPool)                                                                                                \
  X(vkGetQueryPoolResults)                                                                                             \
  X(vkCreateFence)                                                                                                     \
  X(vkDestroyFence)                                                                                                    \
  X(vkWaitForFences)                                                                                                   \
  X(vkQueueSubmit)                                                                                                     \
  X(vkDeviceWaitIdle)

/// A Vulkan instance and the functions that hang off it. The library stays loaded: drivers start threads
/// that must not lose their code.
class VulkanInstance {
public:
  /// Failure: no loader, too old a loader, or no working driver; the text says which.
  static Result<std::shared_ptr<VulkanInstance>> create();
  ~VulkanInstance();

  VkInstance handle = VK_NULL_HANDLE;
  uint32_t apiVersion = 0; ///< the version asked for
  /// For what extensions add.
  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
  /// Every physical device, in the loader's order.
  std::vector<VkPhysicalDevice> devices;
#define FUSELAGE_DECLARE(name) PFN_##name name = nullptr;
  FUSELAGE_VULKAN_GLOBAL(FUSELAGE_DECLARE)
  FUSELAGE_VULKAN_INSTANCE(FUSELAGE_DECLARE)
#undef FUSELAGE_DECLARE

private:
  VulkanInstance() = default;
};

/// "VK_ERROR_DEVICE_LOST (the driver dropped the device)".
std::string vulkanResultText(VkResult result);

} // namespace fuselage

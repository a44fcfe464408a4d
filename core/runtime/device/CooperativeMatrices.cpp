#include "core/runtime/device/CooperativeMatrices.h"
#include <algorithm>
#include <cstring>

namespace fuselage {
namespace {

// VkComponentTypeKHR and VkScopeKHR.
constexpr uint32_t float16 = 0, float32 = 1, subgroupScope = 3;

bool hasExtension(const VulkanInstance &instance, VkPhysicalDevice device, const char *name) {
  uint32_t count = 0;
  if (instance.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr))
    return false;
  std::vector<VkExtensionProperties> extensions(count);
  if (instance.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data()) < 0)
    return false;
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const VkExtensionProperties &each) { return std::strcmp(each.extensionName, name) == 0; });
}

} // namespace

bool hasCooperativeMatrices(const VulkanInstance &instance, VkPhysicalDevice device,
                            const VkPhysicalDeviceProperties &properties) {
  // SPIR-V 1.6 and subgroup size control came with 1.3.
  if (std::min(instance.apiVersion, properties.apiVersion) < VK_API_VERSION_1_3 ||
      !hasExtension(instance, device, kCooperativeMatrixExtension))
    return false;
  CooperativeMatrixFeatures matrices;
  VkPhysicalDeviceVulkan13Features v13{};
  v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  v13.pNext = &matrices;
  VkPhysicalDeviceVulkan12Features v12{};
  v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  v12.pNext = &v13;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &v12;
  instance.vkGetPhysicalDeviceFeatures2(device, &features);
  return matrices.cooperativeMatrix && v12.vulkanMemoryModel && v12.shaderFloat16 && v13.subgroupSizeControl &&
         v13.computeFullSubgroups;
}

std::vector<std::string> cooperativeShapesOf(std::span<const CooperativeMatrixProperties> products) {
  auto sumsIn = [&](const CooperativeMatrixProperties &size, uint32_t type) {
    return std::any_of(products.begin(), products.end(), [&](const CooperativeMatrixProperties &each) {
      return each.m == size.m && each.n == size.n && each.k == size.k && each.a == float16 && each.b == float16 &&
             each.c == type && each.result == type && each.scope == subgroupScope;
    });
  };
  std::vector<std::string> shapes;
  for (const CooperativeMatrixProperties &each : products) {
    std::string shape =
        "m" + std::to_string(each.m) + "n" + std::to_string(each.n) + "k" + std::to_string(each.k) + " f16";
    if (sumsIn(each, float32) && sumsIn(each, float16) &&
        std::find(shapes.begin(), shapes.end(), shape) == shapes.end())
      shapes.push_back(shape);
  }
  return shapes;
}

std::vector<std::string> cooperativeShapes(const VulkanInstance &instance, VkPhysicalDevice device) {
  using Get = VkResult(VKAPI_PTR *)(VkPhysicalDevice, uint32_t *, CooperativeMatrixProperties *);
  auto get = reinterpret_cast<Get>(
      instance.vkGetInstanceProcAddr(instance.handle, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
  uint32_t count = 0;
  if (!get || get(device, &count, nullptr))
    return {};
  std::vector<CooperativeMatrixProperties> products(count);
  if (get(device, &count, products.data()) < 0)
    return {};
  products.resize(count);
  return cooperativeShapesOf(products);
}

} // namespace fuselage

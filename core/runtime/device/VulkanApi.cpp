#include "core/runtime/device/VulkanApi.h"
#include <dlfcn.h>

namespace fuselage {

std::string vulkanResultText(VkResult result) {
  switch (result) {
  case VK_ERROR_OUT_OF_HOST_MEMORY:
    return "VK_ERROR_OUT_OF_HOST_MEMORY (out of host memory)";
  case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    return "VK_ERROR_OUT_OF_DEVICE_MEMORY (out of device memory)";
  case VK_ERROR_INITIALIZATION_FAILED:
    return "VK_ERROR_INITIALIZATION_FAILED (the driver could not start)";
  case VK_ERROR_DEVICE_LOST:
    return "VK_ERROR_DEVICE_LOST (the device stopped answering)";
  case VK_ERROR_MEMORY_MAP_FAILED:
    return "VK_ERROR_MEMORY_MAP_FAILED";
  case VK_ERROR_LAYER_NOT_PRESENT:
    return "VK_ERROR_LAYER_NOT_PRESENT (VK_INSTANCE_LAYERS names a layer that is not installed)";
  case VK_ERROR_EXTENSION_NOT_PRESENT:
    return "VK_ERROR_EXTENSION_NOT_PRESENT";
  case VK_ERROR_FEATURE_NOT_PRESENT:
    return "VK_ERROR_FEATURE_NOT_PRESENT";
  case VK_ERROR_INCOMPATIBLE_DRIVER:
    return "VK_ERROR_INCOMPATIBLE_DRIVER (no Vulkan driver is installed that works here)";
  case VK_ERROR_TOO_MANY_OBJECTS:
    return "VK_ERROR_TOO_MANY_OBJECTS";
  case VK_ERROR_INVALID_SHADER_NV:
    return "VK_ERROR_INVALID_SHADER (the driver refuses the SPIR-V)";
  default:
    return "VkResult " + std::to_string(static_cast<int>(result));
  }
}

/// The loader's entry point; null without a loader.
static PFN_vkGetInstanceProcAddr loaderEntry() {
  void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    library = dlopen("libvulkan.so", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return nullptr;
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
}

Result<std::shared_ptr<VulkanInstance>> VulkanInstance::create() {
  PFN_vkGetInstanceProcAddr entry = loaderEntry();
  if (!entry)
    return failWith("there is no Vulkan loader (libvulkan.so.1) on this machine; install libvulkan1 and "
                    "a driver such as mesa-vulkan-drivers");
  std::shared_ptr<VulkanInstance> instance(new VulkanInstance());
  instance->vkGetInstanceProcAddr = entry;
#define FUSELAGE_LOAD(name) instance->name = reinterpret_cast<PFN_##name>(entry(nullptr, #name));
  FUSELAGE_VULKAN_GLOBAL(FUSELAGE_LOAD)
#undef FUSELAGE_LOAD
  uint32_t loaderVersion = VK_API_VERSION_1_0;
  if (instance->vkEnumerateInstanceVersion)
    instance->vkEnumerateInstanceVersion(&loaderVersion);
  if (!instance->vkCreateInstance || loaderVersion < VK_API_VERSION_1_1)
    return failWith("the Vulkan loader on this machine is older than 1.1; update libvulkan1");
  instance->apiVersion = std::min<uint32_t>(loaderVersion, VK_API_VERSION_1_3);

  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "fuselage";
  application.apiVersion = instance->apiVersion;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  if (VkResult result = instance->vkCreateInstance(&info, nullptr, &instance->handle)) {
    instance->handle = VK_NULL_HANDLE;
    return failWith("Vulkan did not start: " + vulkanResultText(result));
  }
  bool complete = true;
#define FUSELAGE_LOAD(name)                                                                                            \
  instance->name = reinterpret_cast<PFN_##name>(entry(instance->handle, #name));                                       \
  complete &= instance->name != nullptr;
  FUSELAGE_VULKAN_INSTANCE(FUSELAGE_LOAD)
#undef FUSELAGE_LOAD
  if (!complete)
    return failWith("the Vulkan loader lacks functions of Vulkan 1.1; update libvulkan1");

  uint32_t count = 0;
  if (VkResult result = instance->vkEnumeratePhysicalDevices(instance->handle, &count, nullptr))
    return failWith("Vulkan cannot list its devices: " + vulkanResultText(result));
  instance->devices.resize(count);
  VkResult listed = instance->vkEnumeratePhysicalDevices(instance->handle, &count, instance->devices.data());
  if (listed != VK_SUCCESS && listed != VK_INCOMPLETE)
    return failWith("Vulkan cannot list its devices: " + vulkanResultText(listed));
  instance->devices.resize(count);
  return instance;
}

VulkanInstance::~VulkanInstance() {
  if (handle && vkDestroyInstance)
    vkDestroyInstance(handle, nullptr);
}

} // namespace fuselage

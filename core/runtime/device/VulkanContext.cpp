#include "core/runtime/device/VulkanContext.h"
#include "core/runtime/device/CooperativeMatrices.h"
#include "core/runtime/device/Device.h"
#include "core/runtime/device/Models.h"
#include "core/runtime/device/SpirvRequirements.h"
#include <cstring>
#include <thread>

namespace fuselage {

namespace {

/// The features that kernels may use, in the chains that vkGetPhysicalDeviceFeatures2 and
/// vkCreateDevice take.
struct FeatureChain {
  VkPhysicalDeviceFeatures2 core{};
  VkPhysicalDeviceVulkan11Features v11{};
  VkPhysicalDeviceVulkan12Features v12{};
  VkPhysicalDevice16BitStorageFeatures storage16{};
  VkPhysicalDeviceVulkan13Features v13{};
  CooperativeMatrixFeatures matrices;

  explicit FeatureChain(bool has12) {
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    storage16.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
    core.pNext = has12 ? static_cast<void *>(&v11) : &storage16;
    v11.pNext = &v12;
  }
  FeatureChain(const FeatureChain &) = delete;

  /// Asks for cooperative matrices as well, and subgroups of a size; returns the capability.
  unsigned addMatrices() {
    v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    v13.subgroupSizeControl = v13.computeFullSubgroups = matrices.cooperativeMatrix = VK_TRUE;
    v12.pNext = &v13;
    v13.pNext = &matrices;
    return kCooperativeMatrixCapability;
  }
};

} // namespace

/// Copies into `wanted` those features of `have` that kernels use, and returns what SPIR-V may
/// then declare.
static std::set<unsigned> selectFeatures(const FeatureChain &have, FeatureChain &wanted) {
  // Shader, Matrix and other capabilities that every device has, and the storage classes that came
  // with Vulkan 1.1.
  std::set<unsigned> capabilities = {0, 1, 50, 51, 52};
  auto take = [&](VkBool32 offered, VkBool32 &enabled, std::initializer_list<unsigned> allows) {
    enabled = offered;
    if (offered)
      capabilities.insert(allows);
  };
  const auto &core = have.core.features;
  take(core.shaderFloat64, wanted.core.features.shaderFloat64, {10});
  take(core.shaderInt64, wanted.core.features.shaderInt64, {11});
  take(core.shaderInt16, wanted.core.features.shaderInt16, {22});
  take(core.shaderStorageImageExtendedFormats, wanted.core.features.shaderStorageImageExtendedFormats, {49});
  if (!have.core.pNext || have.core.pNext == &have.storage16) {
    take(have.storage16.storageBuffer16BitAccess, wanted.storage16.storageBuffer16BitAccess, {4433});
    return capabilities;
  }
  take(have.v11.storageBuffer16BitAccess, wanted.v11.storageBuffer16BitAccess, {4433});
  take(have.v11.uniformAndStorageBuffer16BitAccess, wanted.v11.uniformAndStorageBuffer16BitAccess, {4434});
  take(have.v11.variablePointersStorageBuffer, wanted.v11.variablePointersStorageBuffer, {4441});
  take(have.v11.variablePointers, wanted.v11.variablePointers, {4442});
  take(have.v12.storageBuffer8BitAccess, wanted.v12.storageBuffer8BitAccess, {4448});
  take(have.v12.uniformAndStorageBuffer8BitAccess, wanted.v12.uniformAndStorageBuffer8BitAccess, {4449});
  take(have.v12.shaderFloat16, wanted.v12.shaderFloat16, {9});
  take(have.v12.shaderInt8, wanted.v12.shaderInt8, {39});
  take(have.v12.vulkanMemoryModel, wanted.v12.vulkanMemoryModel, {5345});
  take(have.v12.vulkanMemoryModelDeviceScope, wanted.v12.vulkanMemoryModelDeviceScope, {5346});
  take(have.v12.shaderSubgroupExtendedTypes, wanted.v12.shaderSubgroupExtendedTypes, {});
  // Subgroup operations are core in 1.1; drivers check the stage themselves.
  capabilities.insert({61, 62, 63, 64, 65, 66, 67, 68});
  return capabilities;
}

/// "1.3.2"
static std::string versionText(uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version)) + "." +
         std::to_string(VK_API_VERSION_PATCH(version));
}

/// True if every heap can be mapped: one memory serves host and device.
static bool isUnified(const VkPhysicalDeviceProperties &properties, const VkPhysicalDeviceMemoryProperties &memory) {
  if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU)
    return false;
  constexpr VkMemoryPropertyFlags all =
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i)
    if ((memory.memoryTypes[i].propertyFlags & all) == all)
      return true;
  return false;
}

/// "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)", where the driver tells, else its version as a number.
static std::string driverText(const VulkanInstance &instance, VkPhysicalDevice device,
                              const VkPhysicalDeviceProperties &properties) {
  if (instance.apiVersion < VK_API_VERSION_1_2 || properties.apiVersion < VK_API_VERSION_1_2)
    return std::to_string(properties.driverVersion);
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &driver;
  instance.vkGetPhysicalDeviceProperties2(device, &all);
  driver.driverName[VK_MAX_DRIVER_NAME_SIZE - 1] = driver.driverInfo[VK_MAX_DRIVER_INFO_SIZE - 1] = 0;
  return std::string(driver.driverName) + " " + driver.driverInfo + " " + std::to_string(properties.driverVersion);
}

VulkanTraits describeVulkanDevice(const VulkanInstance &instance, VkPhysicalDevice device, unsigned number) {
  VulkanTraits traits;
  instance.vkGetPhysicalDeviceProperties(device, &traits.properties);
  instance.vkGetPhysicalDeviceMemoryProperties(device, &traits.memory);
  uint32_t count = 0;
  instance.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  instance.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (uint32_t i = 0; i < count && !traits.hasComputeQueue; ++i) {
    if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0)
      continue;
    traits.hasComputeQueue = true;
    traits.queueFamily = i;
    traits.timestampBits = families[i].timestampValidBits;
  }
  traits.unifiedMemory = isUnified(traits.properties, traits.memory);

  const VkPhysicalDeviceLimits &limits = traits.properties.limits;
  uint64_t largestHeap = 0;
  for (uint32_t i = 0; i < traits.memory.memoryHeapCount; ++i)
    if (traits.memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      largestHeap = std::max<uint64_t>(largestHeap, traits.memory.memoryHeaps[i].size);
  traits.info = {.id = "vulkan:" + std::to_string(number),
                 .name = traits.properties.deviceName,
                 .api = "Vulkan " + versionText(traits.properties.apiVersion),
                 .memoryBytes = largestHeap,
                 .maxSharedBytes = limits.maxComputeSharedMemorySize,
                 .maxThreads = limits.maxComputeWorkGroupInvocations,
                 .software = traits.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
                 .target = traits.properties.apiVersion >= VK_API_VERSION_1_2 ? "SPIR-V 1.5" : "SPIR-V 1.3",
                 .driver = driverText(instance, device, traits.properties)};
  traits.hasCooperativeMatrices = hasCooperativeMatrices(instance, device, traits.properties);
  traits.info.model = vulkanModel(instance, device, traits);
  return traits;
}

Result<std::shared_ptr<VulkanContext>> VulkanContext::create(std::shared_ptr<VulkanInstance> instance,
                                                             unsigned number) {
  std::shared_ptr<VulkanContext> context(new VulkanContext());
  VkPhysicalDevice physical = instance->devices[number];
  context->traits = describeVulkanDevice(*instance, physical, number);
  context->instance_ = instance;
  const std::string &id = context->traits.info.id;
  if (!context->traits.hasComputeQueue)
    return failWith(id + " (" + context->traits.info.name + ") has no compute queue; use another device");

  bool has12 =
      instance->apiVersion >= VK_API_VERSION_1_2 && context->traits.properties.apiVersion >= VK_API_VERSION_1_2;
  FeatureChain have(has12), wanted(has12);
  instance->vkGetPhysicalDeviceFeatures2(physical, &have.core);
  context->traits.capabilities = selectFeatures(have, wanted);
  if (context->traits.hasCooperativeMatrices)
    context->traits.capabilities.insert(wanted.addMatrices());

  float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = context->traits.queueFamily;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &wanted.core;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  if (context->traits.hasCooperativeMatrices) {
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &kCooperativeMatrixExtension;
  }
  if (VkResult result = instance->vkCreateDevice(physical, &info, nullptr, &context->device)) {
    context->device = VK_NULL_HANDLE;
    return failWith(id + " (" + context->traits.info.name + ") could not be opened: " + vulkanResultText(result));
  }
  bool complete = true;
#define FUSELAGE_LOAD(name)                                                                                            \
  context->name = reinterpret_cast<PFN_##name>(instance->vkGetDeviceProcAddr(context->device, #name));                 \
  complete &= context->name != nullptr;
  FUSELAGE_VULKAN_DEVICE(FUSELAGE_LOAD)
#undef FUSELAGE_LOAD
  if (!complete)
    return failWith(id + "'s driver lacks functions of Vulkan 1.0; use another device");
  context->vkGetDeviceQueue(context->device, context->traits.queueFamily, 0, &context->queue);
  return context;
}

VulkanContext::~VulkanContext() {
  if (!device || !vkDestroyDevice)
    return;
  vkDeviceWaitIdle(device);
  for (auto &destroyer : deferred_)
    destroyer(*this);
  vkDestroyDevice(device, nullptr);
}

void VulkanContext::destroy(std::function<void(VulkanContext &)> destroyer) {
  {
    std::lock_guard lock(mutex_);
    if (abandoned_) {
      deferred_.push_back(std::move(destroyer));
      return;
    }
  }
  destroyer(*this);
}

void VulkanContext::abandon(VkFence fence, std::string why) {
  {
    std::lock_guard lock(mutex_);
    abandoned_ = true;
    refusal_ = std::move(why);
  }
  // The thread's share is the last one if everybody else has let go: then it also tears down.
  std::thread([self = shared_from_this(), fence] {
    while (self->vkWaitForFences(self->device, 1, &fence, VK_TRUE, 1'000'000'000) == VK_TIMEOUT) {
    }
  }).detach();
}

std::string VulkanContext::refusal() {
  std::lock_guard lock(mutex_);
  return refusal_;
}

void VulkanContext::markLost() {
  std::lock_guard lock(mutex_);
  refusal_ = traits.info.id + " (" + traits.info.name +
             ") was lost: the driver dropped it. Run again to open it anew, or choose another device";
}

Status VulkanContext::error(VkResult result, const std::string &what) {
  if (result == VK_ERROR_DEVICE_LOST) {
    markLost();
    return failWith(refusal());
  }
  return failWith(traits.info.id + " could not " + what + ": " + vulkanResultText(result));
}

std::optional<uint32_t> VulkanContext::memoryType(uint32_t typeBits, VkMemoryPropertyFlags properties) const {
  for (uint32_t i = 0; i < traits.memory.memoryTypeCount; ++i)
    if ((typeBits >> i & 1) && (traits.memory.memoryTypes[i].propertyFlags & properties) == properties)
      return i;
  return std::nullopt;
}

} // namespace fuselage

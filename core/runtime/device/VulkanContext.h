// A logical Vulkan device that frees its parts only when it no longer uses them.
#pragma once
#include "core/runtime/device/DeviceInfo.h"
#include "core/runtime/device/VulkanApi.h"
#include <functional>
#include <mutex>
#include <optional>
#include <set>

namespace fuselage {

/// What a physical device can do.
struct VulkanTraits {
  DeviceInfo info;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceMemoryProperties memory{};
  uint32_t queueFamily = 0;
  uint32_t timestampBits = 0; ///< 0: the queue has no timestamps
  bool hasComputeQueue = false;
  bool unifiedMemory = false;          ///< the host can map all of the device's memory at no cost
  bool hasCooperativeMatrices = false; ///< and what kernels with such take (see CooperativeMatrices.h)
  /// SPIR-V capabilities that enabled features allow.
  std::set<unsigned> capabilities;
};

/// Asks a physical device; `number` makes its id.
VulkanTraits describeVulkanDevice(const VulkanInstance &instance, VkPhysicalDevice device, unsigned number);

/// A created device with its queue. Buffers, kernels and the Device object share it. While a launch
/// that nobody waits for any more is running, objects given to `destroy` are kept until it ends.
class VulkanContext : public std::enable_shared_from_this<VulkanContext> {
public:
  static Result<std::shared_ptr<VulkanContext>> create(std::shared_ptr<VulkanInstance> instance, unsigned number);
  ~VulkanContext();

  VulkanTraits traits;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
#define FUSELAGE_DECLARE(name) PFN_##name name = nullptr;
  FUSELAGE_VULKAN_DEVICE(FUSELAGE_DECLARE)
#undef FUSELAGE_DECLARE

  /// Runs `destroyer` now, or once the abandoned work has ended.
  void destroy(std::function<void(VulkanContext &)> destroyer);
  /// Gives up on work in flight: a thread of its own waits for `fence` and then lets go.
  void abandon(VkFence fence, std::string why);
  /// Non-empty: the device takes no more work, and why.
  std::string refusal();
  /// The device stopped answering.
  void markLost();
  /// A Failure for a Vulkan call that went wrong.
  Status error(VkResult result, const std::string &what);

  /// Type of memory with these properties among `typeBits`; nullopt: none.
  std::optional<uint32_t> memoryType(uint32_t typeBits, VkMemoryPropertyFlags properties) const;

private:
  VulkanContext() = default;
  std::shared_ptr<VulkanInstance> instance_;
  std::mutex mutex_;
  bool abandoned_ = false;
  std::string refusal_;
  std::vector<std::function<void(VulkanContext &)>> deferred_;
};

} // namespace fuselage

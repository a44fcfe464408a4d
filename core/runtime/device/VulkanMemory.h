// Buffers of a Vulkan device, and copies in and out of them.
#pragma once
#include "core/runtime/device/Device.h"
#include "core/runtime/device/VulkanContext.h"

namespace fuselage {

/// A storage buffer in the device's best memory; mapped where the host sees that memory.
class VulkanBuffer : public DeviceBuffer {
public:
  /// `hostSide` asks for memory that the host can map, for staging.
  static Result<std::unique_ptr<VulkanBuffer>> create(std::shared_ptr<VulkanContext> context, uint64_t byteCount,
                                                      bool hostSide);
  ~VulkanBuffer() override;

  VkBuffer handle = VK_NULL_HANDLE;
  uint8_t *mapped = nullptr; ///< null: only the device sees it

private:
  VulkanBuffer(std::shared_ptr<VulkanContext> context, uint64_t byteCount)
      : DeviceBuffer(byteCount), context_(std::move(context)) {}
  std::shared_ptr<VulkanContext> context_;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

/// A command buffer that is recorded, submitted once and waited for.
class VulkanCommands {
public:
  static Result<std::unique_ptr<VulkanCommands>> begin(std::shared_ptr<VulkanContext> context);
  ~VulkanCommands();
  VkCommandBuffer buffer() const { return buffer_; }
  /// Ends, submits and waits. `what` is named when the device does not finish in time.
  Status finish(const WaitLimits &limits, std::string_view what);

private:
  explicit VulkanCommands(std::shared_ptr<VulkanContext> context) : context_(std::move(context)) {}
  std::shared_ptr<VulkanContext> context_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
};

} // namespace fuselage

#include "core/runtime/device/VulkanMemory.h"
#include <chrono>

namespace fuselage {

Result<std::unique_ptr<VulkanBuffer>> VulkanBuffer::create(std::shared_ptr<VulkanContext> context, uint64_t byteCount,
                                                           bool hostSide) {
  auto outOfMemory = [&] {
    return failWith("out of memory: " + context->traits.info.id + " (" + context->traits.info.name + ", " +
                    formatBytes(context->traits.info.memoryBytes) + ") has no " + formatBytes(byteCount) +
                    " left for a buffer; use smaller sizes or another device");
  };
  if (byteCount > context->traits.info.memoryBytes)
    return outOfMemory();
  std::unique_ptr<VulkanBuffer> buffer(new VulkanBuffer(context, byteCount));
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  // Whole words: 8-bit data may be read through 32-bit views.
  info.size = (std::max<uint64_t>(byteCount, 4) + 15) / 16 * 16;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  std::string what = "make a buffer of " + formatBytes(byteCount);
  if (VkResult result = context->vkCreateBuffer(context->device, &info, nullptr, &buffer->handle))
    return context->error(result, what);
  VkMemoryRequirements needs;
  context->vkGetBufferMemoryRequirements(context->device, buffer->handle, &needs);

  constexpr VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  std::vector<VkMemoryPropertyFlags> wishes;
  if (context->traits.unifiedMemory)
    wishes = {local | host | cached, local | host, host};
  else if (hostSide)
    wishes = {host | cached, host};
  else
    wishes = {local, 0};
  std::optional<uint32_t> type;
  for (VkMemoryPropertyFlags wish : wishes)
    if (!type)
      type = context->memoryType(needs.memoryTypeBits, wish);
  if (!type)
    return failWith(context->traits.info.id + " has no memory that a buffer of " + formatBytes(byteCount) +
                    " may live in");
  VkMemoryAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocation.allocationSize = needs.size;
  allocation.memoryTypeIndex = *type;
  VkResult result = context->vkAllocateMemory(context->device, &allocation, nullptr, &buffer->memory_);
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY)
    return outOfMemory();
  if (result)
    return context->error(result, what);
  if ((result = context->vkBindBufferMemory(context->device, buffer->handle, buffer->memory_, 0)))
    return context->error(result, what);
  if (context->traits.memory.memoryTypes[*type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT &&
      context->traits.memory.memoryTypes[*type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) {
    void *address = nullptr;
    if ((result = context->vkMapMemory(context->device, buffer->memory_, 0, VK_WHOLE_SIZE, 0, &address)))
      return context->error(result, "map a buffer of " + formatBytes(byteCount));
    buffer->mapped = static_cast<uint8_t *>(address);
  }
  return buffer;
}

VulkanBuffer::~VulkanBuffer() {
  context_->destroy([handle = handle, memory = memory_](VulkanContext &context) {
    context.vkDestroyBuffer(context.device, handle, nullptr);
    context.vkFreeMemory(context.device, memory, nullptr);
  });
}

Result<std::unique_ptr<VulkanCommands>> VulkanCommands::begin(std::shared_ptr<VulkanContext> context) {
  if (std::string refusal = context->refusal(); !refusal.empty())
    return failWith(refusal);
  std::unique_ptr<VulkanCommands> commands(new VulkanCommands(context));
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool.queueFamilyIndex = context->traits.queueFamily;
  if (VkResult result = context->vkCreateCommandPool(context->device, &pool, nullptr, &commands->pool_))
    return context->error(result, "make a command pool");
  VkCommandBufferAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocation.commandPool = commands->pool_;
  allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocation.commandBufferCount = 1;
  if (VkResult result = context->vkAllocateCommandBuffers(context->device, &allocation, &commands->buffer_))
    return context->error(result, "make a command buffer");
  VkFenceCreateInfo fence{};
  fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  if (VkResult result = context->vkCreateFence(context->device, &fence, nullptr, &commands->fence_))
    return context->error(result, "make a fence");
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  if (VkResult result = context->vkBeginCommandBuffer(commands->buffer_, &info))
    return context->error(result, "record commands");
  return commands;
}

Status VulkanCommands::finish(const WaitLimits &limits, std::string_view what) {
  VulkanContext &context = *context_;
  const std::string work(what);
  if (VkResult result = context.vkEndCommandBuffer(buffer_))
    return context.error(result, "record commands");
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &buffer_;
  if (VkResult result = context.vkQueueSubmit(context.queue, 1, &submit, fence_))
    return context.error(result, "launch " + work);

  constexpr uint64_t sliceNanoseconds = 20'000'000;
  auto start = std::chrono::steady_clock::now();
  while (true) {
    VkResult result = context.vkWaitForFences(context.device, 1, &fence_, VK_TRUE, sliceNanoseconds);
    if (result == VK_SUCCESS)
      return Status::success();
    if (result != VK_TIMEOUT)
      return context.error(result, "finish " + work);
    const std::string &id = context.traits.info.id;
    if (limits.cancelled && limits.cancelled->load()) {
      context.abandon(fence_, id + " is still busy with a cancelled launch");
      return failWith("cancelled while " + id + " was running " + work);
    }
    std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (waited.count() > limits.timeoutSeconds) {
      std::string text =
          work + " did not finish on " + id + " within " + std::to_string(int64_t(limits.timeoutSeconds)) + " s";
      context.abandon(fence_, id + " hangs: " + text);
      return failWith(text + ": the kernel hangs, or the device is too slow for this size");
    }
  }
}

VulkanCommands::~VulkanCommands() {
  context_->destroy([fence = fence_, pool = pool_](VulkanContext &context) {
    context.vkDestroyFence(context.device, fence, nullptr);
    context.vkDestroyCommandPool(context.device, pool, nullptr);
  });
}

} // namespace fuselage

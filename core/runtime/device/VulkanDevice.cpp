#include "core/runtime/device/VulkanDevice.h"
#include "core/runtime/device/SpirvRequirements.h"
#include "core/runtime/device/VulkanMemory.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

namespace fuselage {

namespace {

/// A compute pipeline and its layout.
struct VulkanKernel : DeviceKernel {
  VulkanKernel(const CompiledKernel &kernel, std::shared_ptr<VulkanContext> context)
      : DeviceKernel(kernel), context(std::move(context)) {}
  ~VulkanKernel() override {
    context->destroy([set = setLayout, layout = layout, pipeline = pipeline](VulkanContext &c) {
      c.vkDestroyPipeline(c.device, pipeline, nullptr);
      c.vkDestroyPipelineLayout(c.device, layout, nullptr);
      c.vkDestroyDescriptorSetLayout(c.device, set, nullptr);
    });
  }
  std::shared_ptr<VulkanContext> context;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  unsigned bindings = 0;
  std::map<unsigned, VkFormat> texels; ///< bindings that are texel buffers
  VkDescriptorType typeOf(unsigned binding) const {
    return texels.count(binding) ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }
};

/// The descriptor sets and timestamps of one `run`.
struct LaunchResources {
  explicit LaunchResources(std::shared_ptr<VulkanContext> context) : context(std::move(context)) {}
  ~LaunchResources() {
    context->destroy([pool = descriptors, queries = timestamps, views = std::move(views)](VulkanContext &c) {
      for (VkBufferView view : views)
        c.vkDestroyBufferView(c.device, view, nullptr);
      c.vkDestroyDescriptorPool(c.device, pool, nullptr);
      c.vkDestroyQueryPool(c.device, queries, nullptr);
    });
  }
  LaunchResources(const LaunchResources &) = delete;
  std::shared_ptr<VulkanContext> context;
  VkDescriptorPool descriptors = VK_NULL_HANDLE;
  VkQueryPool timestamps = VK_NULL_HANDLE;
  std::vector<VkBufferView> views; ///< of texel buffers
};

class VulkanDevice : public Device {
public:
  explicit VulkanDevice(std::shared_ptr<VulkanContext> context) : context_(std::move(context)) {}
  const DeviceInfo &info() const override { return context_->traits.info; }
  bool hasTimestamps() const override { return context_->traits.timestampBits != 0; }
  TargetOptions targetOptions() const override;
  Result<std::unique_ptr<DeviceBuffer>> allocate(uint64_t byteCount) override;
  Status upload(DeviceBuffer &buffer, std::span<const uint8_t> bytes) override;
  Status download(DeviceBuffer &buffer, std::span<uint8_t> bytes) override;
  Result<std::unique_ptr<DeviceKernel>> load(const CompiledKernel &kernel) override;
  Result<std::vector<double>> run(std::span<const Launch> launches, const WaitLimits &limits) override;

private:
  Result<VulkanBuffer *> staging(uint64_t byteCount);
  Status copy(VkBuffer from, VkBuffer to, VkBufferCopy region);
  Status inChunks(uint64_t bytes,
                  const std::function<Status(VulkanBuffer &chunk, uint64_t at, uint64_t size)> &copyChunk);
  Status checkLaunch(const Launch &launch) const;
  Status record(VkCommandBuffer commands, LaunchResources &resources, std::span<const Launch> launches);
  Result<std::vector<double>> readTimestamps(const LaunchResources &resources, size_t launches);

  std::shared_ptr<VulkanContext> context_;
  std::unique_ptr<VulkanBuffer> staging_;
};

} // namespace

TargetOptions VulkanDevice::targetOptions() const {
  TargetOptions options;
  options.target = KernelTarget::Spirv;
  options.device = info().model;
  return options;
}

Result<std::unique_ptr<DeviceBuffer>> VulkanDevice::allocate(uint64_t byteCount) {
  if (std::string refusal = context_->refusal(); !refusal.empty())
    return failWith(refusal);
  return VulkanBuffer::create(context_, byteCount, /*hostSide=*/false);
}

constexpr uint64_t stagingBytes = 16 << 20;

/// The buffer through which copies go where the host cannot map the device's memory.
Result<VulkanBuffer *> VulkanDevice::staging(uint64_t byteCount) {
  if (!staging_) {
    auto created = VulkanBuffer::create(context_, stagingBytes, /*hostSide=*/true);
    if (!created)
      return created.takeError();
    staging_ = std::move(*created);
  }
  if (!staging_->mapped || byteCount > stagingBytes)
    return failWith(info().id + " has no memory that the host can map");
  return staging_.get();
}

/// Copies between two buffers and waits.
Status VulkanDevice::copy(VkBuffer from, VkBuffer to, VkBufferCopy region) {
  auto commands = VulkanCommands::begin(context_);
  if (!commands)
    return commands.takeError();
  context_->vkCmdCopyBuffer((*commands)->buffer(), from, to, 1, &region);
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  context_->vkCmdPipelineBarrier((*commands)->buffer(), VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                                 1, &barrier, 0, nullptr, 0, nullptr);
  return (*commands)->finish({.timeoutSeconds = 60, .cancelled = nullptr}, "a copy");
}

/// Calls `copyChunk` for each piece of `bytes` that the staging buffer holds at once.
Status VulkanDevice::inChunks(uint64_t bytes,
                              const std::function<Status(VulkanBuffer &chunk, uint64_t at, uint64_t size)> &copyChunk) {
  for (uint64_t at = 0; at < bytes; at += stagingBytes) {
    uint64_t size = std::min(stagingBytes, bytes - at);
    auto chunk = staging(size);
    if (!chunk)
      return chunk.takeError();
    if (Status error = copyChunk(**chunk, at, size))
      return error;
  }
  return Status::success();
}

Status VulkanDevice::upload(DeviceBuffer &buffer, std::span<const uint8_t> bytes) {
  auto &target = static_cast<VulkanBuffer &>(buffer);
  if (std::string refusal = context_->refusal(); !refusal.empty())
    return failWith(refusal);
  if (bytes.size() > target.byteCount())
    return failWith("an upload of " + formatBytes(bytes.size()) + " does not fit its buffer");
  if (target.mapped) {
    std::memcpy(target.mapped, bytes.data(), bytes.size());
    return Status::success();
  }
  return inChunks(bytes.size(), [&](VulkanBuffer &chunk, uint64_t at, uint64_t size) {
    std::memcpy(chunk.mapped, bytes.data() + at, size);
    return copy(chunk.handle, target.handle, {.srcOffset = 0, .dstOffset = at, .size = size});
  });
}

Status VulkanDevice::download(DeviceBuffer &buffer, std::span<uint8_t> bytes) {
  auto &source = static_cast<VulkanBuffer &>(buffer);
  if (std::string refusal = context_->refusal(); !refusal.empty())
    return failWith(refusal);
  if (bytes.size() > source.byteCount())
    return failWith("a download of " + formatBytes(bytes.size()) + " is larger than its buffer");
  if (source.mapped) {
    std::memcpy(bytes.data(), source.mapped, bytes.size());
    return Status::success();
  }
  return inChunks(bytes.size(), [&](VulkanBuffer &chunk, uint64_t at, uint64_t size) -> Status {
    if (Status error = copy(source.handle, chunk.handle, {.srcOffset = at, .dstOffset = 0, .size = size}))
      return error;
    std::memcpy(bytes.data() + at, chunk.mapped, size);
    return Status::success();
  });
}

/// Refuses what the driver would refuse, or crash on, with a reason.
static Status checkModule(const CompiledKernel &kernel, const VulkanTraits &traits) {
  // The capabilities that hang on features of the device; other ones come with the version.
  constexpr unsigned optional[] = {9, 10, 11, 22, 39, 4433, 4434, 4441, 4442, 4448, 4449, 6022};
  if (kernel.binary.size() % 4 != 0 || !spirvHasEntry(kernel.binary, kernel.entry))
    return failWith("kernel '" + kernel.entry +
                    "' is no SPIR-V module with a compute entry point of "
                    "that name");
  for (unsigned capability : spirvCapabilities(kernel.binary))
    if (std::find(std::begin(optional), std::end(optional), capability) != std::end(optional) &&
        !traits.capabilities.count(capability))
      return failWith("kernel '" + kernel.entry + "' needs " + spirvCapabilityName(capability) + ", which " +
                      traits.info.id + " (" + traits.info.name +
                      ") does not offer; use another element type or another device");
  // From GroupNonUniform on; old drivers crash on operations of subgroups that they do not have.
  constexpr unsigned firstOfSubgroups = 61;
  constexpr const char *subgroupOperations[] = {
      "basic", "vote", "arithmetic", "ballot", "shuffle", "shuffle_relative", "clustered", "quad"};
  const std::vector<std::string> &offered = traits.info.model.subgroupOperations.value;
  for (unsigned capability : spirvCapabilities(kernel.binary))
    if (unsigned number = capability - firstOfSubgroups;
        number < std::size(subgroupOperations) &&
        std::find(offered.begin(), offered.end(), subgroupOperations[number]) == offered.end())
      return failWith("kernel '" + kernel.entry + "' needs operations of subgroups (" + subgroupOperations[number] +
                      "), which " + traits.info.id + " (" + traits.info.name +
                      ") does not offer; update its driver or use another device");
  const VkPhysicalDeviceLimits &limits = traits.properties.limits;
  for (int dim = 0; dim < 3; ++dim) {
    if (kernel.block[dim] > limits.maxComputeWorkGroupSize[dim])
      return failWith("kernel '" + kernel.entry + "' has " + std::to_string(kernel.block[dim]) +
                      " threads in dimension " + std::to_string(dim) + " of a workgroup; " + traits.info.id +
                      " takes at most " + std::to_string(limits.maxComputeWorkGroupSize[dim]) +
                      ": choose smaller tiles");
    if (kernel.grid[dim] > limits.maxComputeWorkGroupCount[dim])
      return failWith("kernel '" + kernel.entry + "' has " + std::to_string(kernel.grid[dim]) +
                      " workgroups in dimension " + std::to_string(dim) + "; " + traits.info.id + " takes at most " +
                      std::to_string(limits.maxComputeWorkGroupCount[dim]) + ": choose larger tiles");
  }
  return Status::success();
}

/// Of the number that SPIR-V gives a texel's format.
static VkFormat formatOf(unsigned spirvFormat) {
  switch (spirvFormat) {
  case 1:
    return VK_FORMAT_R32G32B32A32_SFLOAT;
  case 3:
    return VK_FORMAT_R32_SFLOAT;
  case 6:
    return VK_FORMAT_R32G32_SFLOAT;
  case 30:
    return VK_FORMAT_R32G32B32A32_UINT;
  case 33:
    return VK_FORMAT_R32_UINT;
  case 35:
    return VK_FORMAT_R32G32_UINT;
  default:
    return VK_FORMAT_UNDEFINED;
  }
}

Result<std::unique_ptr<DeviceKernel>> VulkanDevice::load(const CompiledKernel &kernel) {
  VulkanContext &context = *context_;
  if (std::string refusal = context.refusal(); !refusal.empty())
    return failWith(refusal);
  if (Status error = checkKernelFits(kernel, info()))
    return error;
  if (Status error = checkModule(kernel, context.traits))
    return error;
  auto loaded = std::make_unique<VulkanKernel>(kernel, context_);
  uint64_t bindingCount = std::max<uint64_t>(kernel.arguments.size(), spirvBindingCount(kernel.binary));
  uint32_t most = context.traits.properties.limits.maxPerStageDescriptorStorageBuffers;
  if (bindingCount > most)
    return failWith("kernel '" + kernel.entry + "' takes " + std::to_string(bindingCount) + " buffers; " + info().id +
                    " takes at most " + std::to_string(most) + " at once: form smaller dispatches");
  loaded->bindings = unsigned(bindingCount);

  for (SpirvTexelBuffer texels : spirvTexelBuffers(kernel.binary)) {
    VkFormat format = formatOf(texels.format);
    if (format == VK_FORMAT_UNDEFINED)
      return failWith("kernel '" + kernel.entry + "' reads texels of a format that is not known here");
    loaded->texels[texels.binding] = format;
  }
  std::vector<VkDescriptorSetLayoutBinding> bindings(loaded->bindings);
  for (unsigned i = 0; i < bindings.size(); ++i)
    bindings[i] = {.binding = i,
                   .descriptorType = loaded->typeOf(i),
                   .descriptorCount = 1,
                   .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                   .pImmutableSamplers = nullptr};
  VkDescriptorSetLayoutCreateInfo set{};
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set.bindingCount = bindings.size();
  set.pBindings = bindings.data();
  std::string what = "prepare kernel '" + kernel.entry + "'";
  if (VkResult result = context.vkCreateDescriptorSetLayout(context.device, &set, nullptr, &loaded->setLayout))
    return context.error(result, what);
  VkPipelineLayoutCreateInfo layout{};
  layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &loaded->setLayout;
  if (VkResult result = context.vkCreatePipelineLayout(context.device, &layout, nullptr, &loaded->layout))
    return context.error(result, what);

  if (loaded->texels.size() > context.traits.properties.limits.maxPerStageDescriptorStorageImages)
    return failWith("kernel '" + kernel.entry + "' reads " + std::to_string(loaded->texels.size()) +
                    " texel buffers, more than " + info().id + " takes: form smaller dispatches");
  std::vector<uint32_t> words(kernel.binary.size() / 4);
  std::memcpy(words.data(), kernel.binary.data(), kernel.binary.size());
  VkShaderModuleCreateInfo module{};
  module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module.codeSize = kernel.binary.size();
  module.pCode = words.data();
  VkShaderModule shader = VK_NULL_HANDLE;
  if (VkResult result = context.vkCreateShaderModule(context.device, &module, nullptr, &shader))
    return context.error(result, what);
  VkComputePipelineCreateInfo pipeline{};
  pipeline.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  pipeline.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  pipeline.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  // Cooperative matrices are shared by subgroups of the size that the model states, which code generation has counted
  // on.
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  subgroup.requiredSubgroupSize = uint32_t(info().model.subgroupSize.value);
  std::vector<unsigned> capabilities = spirvCapabilities(kernel.binary);
  if (std::find(capabilities.begin(), capabilities.end(), kCooperativeMatrixCapability) != capabilities.end()) {
    pipeline.stage.pNext = &subgroup;
    pipeline.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  pipeline.stage.module = shader;
  pipeline.stage.pName = kernel.entry.c_str();
  pipeline.layout = loaded->layout;
  VkResult result =
      context.vkCreateComputePipelines(context.device, VK_NULL_HANDLE, 1, &pipeline, nullptr, &loaded->pipeline);
  context.vkDestroyShaderModule(context.device, shader, nullptr);
  if (result) {
    loaded->pipeline = VK_NULL_HANDLE;
    return context.error(result, what);
  }
  return loaded;
}

/// The launch gives each binding a buffer that the device can bind whole.
Status VulkanDevice::checkLaunch(const Launch &launch) const {
  auto &kernel = static_cast<VulkanKernel &>(*launch.kernel);
  if (launch.buffers.size() != kernel.bindings)
    return failWith("kernel '" + kernel.entry + "' has " + std::to_string(kernel.bindings) + " bindings, but " +
                    std::to_string(launch.buffers.size()) + " buffers are given");
  uint64_t most = context_->traits.properties.limits.maxStorageBufferRange;
  for (DeviceBuffer *buffer : launch.buffers)
    // Software drivers state the specification's minimum and take more.
    if (buffer->byteCount() > most && !info().software)
      return failWith("kernel '" + kernel.entry + "' works on a buffer of " + formatBytes(buffer->byteCount()) + "; " +
                      info().id + " binds at most " + formatBytes(most) +
                      " at once: use smaller sizes or another device");
  return Status::success();
}

/// Records the launches, a barrier after each, timestamps around each.
Status VulkanDevice::record(VkCommandBuffer commands, LaunchResources &resources, std::span<const Launch> launches) {
  VulkanContext &context = *context_;
  for (size_t i = 0; i < launches.size(); ++i) {
    auto &kernel = static_cast<VulkanKernel &>(*launches[i].kernel);
    VkDescriptorSet set = VK_NULL_HANDLE;
    VkDescriptorSetAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    allocation.descriptorPool = resources.descriptors;
    allocation.descriptorSetCount = 1;
    allocation.pSetLayouts = &kernel.setLayout;
    if (VkResult result = context.vkAllocateDescriptorSets(context.device, &allocation, &set))
      return context.error(result, "bind the buffers of kernel '" + kernel.entry + "'");
    std::vector<VkDescriptorBufferInfo> buffers;
    for (DeviceBuffer *buffer : launches[i].buffers)
      buffers.push_back({static_cast<VulkanBuffer *>(buffer)->handle, 0, VK_WHOLE_SIZE});
    // As many views as bindings: what is written points to them.
    std::vector<VkBufferView> views(buffers.size(), VK_NULL_HANDLE);
    for (auto [binding, format] : kernel.texels) {
      VkBufferViewCreateInfo view{};
      view.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
      view.buffer = buffers[binding].buffer;
      view.format = format;
      view.range = VK_WHOLE_SIZE;
      if (VkResult result = context.vkCreateBufferView(context.device, &view, nullptr, &views[binding]))
        return context.error(result, "bind the texels of kernel '" + kernel.entry + "'");
      resources.views.push_back(views[binding]);
    }
    std::vector<VkWriteDescriptorSet> writes(buffers.size());
    for (unsigned binding = 0; binding < writes.size(); ++binding) {
      writes[binding] = {};
      writes[binding].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
      writes[binding].dstSet = set;
      writes[binding].dstBinding = binding;
      writes[binding].descriptorCount = 1;
      writes[binding].descriptorType = kernel.typeOf(binding);
      writes[binding].pBufferInfo = &buffers[binding];
      writes[binding].pTexelBufferView = &views[binding];
    }
    context.vkUpdateDescriptorSets(context.device, writes.size(), writes.data(), 0, nullptr);
    context.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
    context.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0, 1, &set, 0, nullptr);
    if (resources.timestamps)
      context.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, resources.timestamps, 2 * i);
    context.vkCmdDispatch(commands, kernel.grid[0], kernel.grid[1], kernel.grid[2]);
    if (resources.timestamps)
      context.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, resources.timestamps, 2 * i + 1);
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask =
        VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    context.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                 VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT |
                                     VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 0, 1, &barrier, 0, nullptr, 0, nullptr);
  }
  return Status::success();
}

/// Microseconds between each launch's two timestamps.
Result<std::vector<double>> VulkanDevice::readTimestamps(const LaunchResources &resources, size_t launches) {
  std::vector<uint64_t> ticks(2 * launches);
  if (VkResult result =
          context_->vkGetQueryPoolResults(context_->device, resources.timestamps, 0, ticks.size(), ticks.size() * 8,
                                          ticks.data(), 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT))
    return context_->error(result, "read its clock");
  uint32_t bits = context_->traits.timestampBits;
  uint64_t mask = bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  double microsecondsPerTick = context_->traits.properties.limits.timestampPeriod * 1e-3;
  std::vector<double> times;
  for (size_t i = 0; i < launches; ++i)
    times.push_back(((ticks[2 * i + 1] - ticks[2 * i]) & mask) * microsecondsPerTick);
  return times;
}

Result<std::vector<double>> VulkanDevice::run(std::span<const Launch> launches, const WaitLimits &limits) {
  VulkanContext &context = *context_;
  if (launches.empty())
    return std::vector<double>();
  unsigned bindings = 0;
  for (const Launch &launch : launches) {
    if (Status error = checkLaunch(launch))
      return error;
    bindings += launch.buffers.size();
  }
  auto commands = VulkanCommands::begin(context_);
  if (!commands)
    return commands.takeError();
  LaunchResources resources(context_);
  VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, std::max(bindings, 1u)},
                                  {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, std::max(bindings, 1u)}};
  VkDescriptorPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool.maxSets = launches.size();
  pool.poolSizeCount = 2;
  pool.pPoolSizes = sizes;
  if (VkResult result = context.vkCreateDescriptorPool(context.device, &pool, nullptr, &resources.descriptors))
    return context.error(result, "bind buffers");
  // Without device timestamps the launches are timed by the host's clock, one submission each.
  if (context.traits.timestampBits != 0) {
    VkQueryPoolCreateInfo queries{};
    queries.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
    queries.queryCount = 2 * launches.size();
    if (VkResult result = context.vkCreateQueryPool(context.device, &queries, nullptr, &resources.timestamps))
      return context.error(result, "make timestamps");
    context.vkCmdResetQueryPool((*commands)->buffer(), resources.timestamps, 0, 2 * launches.size());
  } else if (launches.size() > 1) {
    std::vector<double> times;
    for (const Launch &launch : launches) {
      auto one = run(std::span(&launch, 1), limits);
      if (!one)
        return one.takeError();
      times.push_back(one->front());
    }
    return times;
  }
  if (Status error = record((*commands)->buffer(), resources, launches))
    return error;
  std::string what = "kernel '" + launches.front().kernel->entry + "'";
  auto start = std::chrono::steady_clock::now();
  if (Status error = (*commands)->finish(limits, what))
    return error;
  std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - start;
  if (!resources.timestamps)
    return std::vector<double>{elapsed.count()};
  return readTimestamps(resources, launches.size());
}

std::vector<DeviceInfo> listVulkanDevices() {
  auto instance = VulkanInstance::create();
  if (!instance)
    return {};
  std::vector<DeviceInfo> devices;
  for (unsigned i = 0; i < (*instance)->devices.size(); ++i) {
    VulkanTraits traits = describeVulkanDevice(**instance, (*instance)->devices[i], i);
    if (traits.hasComputeQueue)
      devices.push_back(traits.info);
  }
  return devices;
}

Result<std::unique_ptr<Device>> openVulkanDevice(unsigned number) {
  auto instance = VulkanInstance::create();
  if (!instance)
    return instance.takeError();
  if (number >= (*instance)->devices.size())
    return failWith("there is no Vulkan device number " + std::to_string(number) + ", only " +
                    std::to_string((*instance)->devices.size()));
  auto context = VulkanContext::create(*instance, number);
  if (!context)
    return context.takeError();
  return std::make_unique<VulkanDevice>(std::move(*context));
}

} // namespace fuselage

#include "core/runtime/device/Models.h"
#include "core/device/HostProcessor.h"
#include "core/device/NvidiaChips.h"
#include "core/runtime/device/CooperativeMatrices.h"
#include "core/runtime/device/CudaDriver.h"

namespace fuselage {
namespace {

/// Sets what is known: a number above 0.
template <class T, class Number> void state(Stated<T> &stated, Number value, const char *source) {
  if (value > 0)
    stated = {T(value), source};
}

/// Cores and caches of this processor, for what poses as a GPU on it.
void stateProcessor(DeviceModel &model) {
  DeviceModel host = hostModel();
  model.cacheLineBytes = host.cacheLineBytes;
  model.firstCacheBytes = host.firstCacheBytes;
  model.lastCacheBytes = host.lastCacheBytes;
  state(model.computeUnits, hostProcessor().cores, "the operating system (processors)");
}

/// llvmpipe has a number of all lanes of a subgroup in one vector register, and compiles for this processor as LLVM
/// does: its machine code for one with AVX-512 has ymm16 to ymm31.
void stateLaneRegisters(DeviceModel &model) {
  const HostProcessor &cpu = hostProcessor();
  int64_t width = std::min<int64_t>(cpu.vectorBytes, 32), lanes = 4 * model.subgroupSize.value;
  if (cpu.knowsRegisters && lanes > 0)
    state(model.registersPerThread, cpu.vectorRegisters * width / lanes,
          "llvmpipe's code: a vector register has a number of each lane; LLVM, for their number");
}

DeviceKind kindOf(VkPhysicalDeviceType type) {
  if (type == VK_PHYSICAL_DEVICE_TYPE_CPU)
    return DeviceKind::Software;
  return type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU ? DeviceKind::Integrated : DeviceKind::Discrete;
}

std::vector<std::string> namesOf(VkSubgroupFeatureFlags operations) {
  static constexpr std::pair<VkSubgroupFeatureFlags, const char *> names[] = {
      {VK_SUBGROUP_FEATURE_BASIC_BIT, "basic"},
      {VK_SUBGROUP_FEATURE_VOTE_BIT, "vote"},
      {VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "arithmetic"},
      {VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot"},
      {VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
      {VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "shuffle_relative"},
      {VK_SUBGROUP_FEATURE_CLUSTERED_BIT, "clustered"},
      {VK_SUBGROUP_FEATURE_QUAD_BIT, "quad"}};
  std::vector<std::string> found;
  for (auto [bit, name] : names)
    if (operations & bit)
      found.push_back(name);
  return found;
}

/// FP32 units of a multiprocessor, by compute capability; 0: not known.
int64_t floatUnits(unsigned capability) {
  switch (capability) {
  case 70:
  case 72:
  case 75:
  case 80:
    return 64;
  case 86:
  case 87:
  case 89:
  case 90:
  case 100:
  case 103:
  case 120:
  case 121:
    return 128;
  default:
    return 0;
  }
}

} // namespace

DeviceModel vulkanModel(const VulkanInstance &instance, VkPhysicalDevice device, const VulkanTraits &traits) {
  VkPhysicalDeviceSubgroupProperties subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &subgroup;
  instance.vkGetPhysicalDeviceProperties2(device, &properties);
  const VkPhysicalDeviceLimits &limits = traits.properties.limits;
  constexpr const char *limitsSource = "VkPhysicalDeviceLimits";
  constexpr const char *subgroupSource = "VkPhysicalDeviceSubgroupProperties";

  DeviceModel model;
  model.name = traits.info.name;
  model.kind = {kindOf(traits.properties.deviceType), "VkPhysicalDeviceProperties::deviceType"};
  model.language = {"spirv", "Vulkan"};
  state(model.subgroupSize, subgroup.subgroupSize, subgroupSource);
  if (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT)
    model.subgroupOperations = {namesOf(subgroup.supportedOperations), subgroupSource};
  state(model.workgroupBytes, limits.maxComputeSharedMemorySize, limitsSource);
  state(model.maxThreads, limits.maxComputeWorkGroupInvocations, limitsSource);
  if (traits.hasCooperativeMatrices)
    model.matrixShapes = {cooperativeShapes(instance, device), "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"};
  if (!model.isSoftware())
    return model;
  stateProcessor(model);
  // Vendor and subgroup tell llvmpipe from other drivers that run on the processor.
  if (traits.properties.vendorID == VK_VENDOR_ID_MESA) {
    model.maxLoopRounds = {65535, "LP_MAX_TGSI_LOOP_ITERATIONS of Mesa's llvmpipe"};
    model.readsThroughTexels = {true,
                                "llvmpipe's code: a storage buffer is read lane by lane, a texel buffer in vectors"};
    stateLaneRegisters(model);
  }
  return model;
}

DeviceModel cudaModel(const std::string &name, const std::string &chip, const std::function<int(int)> &attribute) {
  constexpr const char *source = "cuDeviceGetAttribute";
  unsigned capability = capabilityOf(chip);
  DeviceModel model;
  model.name = name;
  model.kind = {DeviceKind::Discrete, "CUDA"};
  model.language = {"ptx", "CUDA"};
  model.chip = {chip, source};
  state(model.subgroupSize, attribute(cuda::attributeWarpSize), source);
  model.subgroupOperations = {{"basic", "vote", "ballot", "shuffle", "shuffle_relative"}, "PTX"};
  state(model.maxThreads, attribute(cuda::attributeMaxThreads), source);
  state(model.workgroupBytes, attribute(cuda::attributeMaxShared), source);
  state(model.workgroupBytesOptIn, attribute(cuda::attributeMaxSharedOptIn), source);
  state(model.unitWorkgroupBytes, attribute(cuda::attributeSharedPerUnit), source);
  state(model.registersPerUnit, attribute(cuda::attributeRegistersPerUnit), source);
  model.registersPerThread = {255, "CUDA C++ Programming Guide, compute capabilities"};
  state(model.threadsPerUnit, attribute(cuda::attributeThreadsPerUnit), source);
  int64_t units = attribute(cuda::attributeUnits);
  state(model.computeUnits, units, source);
  if (std::vector<std::string> shapes = matrixShapesOf(capability); !shapes.empty())
    model.matrixShapes = {shapes, "PTX ISA, mma.sync"};
  model.cacheLineBytes = {128, "CUDA C++ Programming Guide, device memory accesses"};
  state(model.lastCacheBytes, attribute(cuda::attributeLastCacheBytes), source);
  // Two transfers a clock.
  double bytesAClock = 2.0 * attribute(cuda::attributeMemoryBusBits) / 8;
  state(model.bandwidth, bytesAClock * attribute(cuda::attributeMemoryClockKilohertz) * 1e-6,
        "stated: memory clock and bus of cuDeviceGetAttribute");
  state(model.peakF32, 2e-6 * double(units) * double(floatUnits(capability)) * attribute(cuda::attributeClockKilohertz),
        "stated: clock and multiprocessors of cuDeviceGetAttribute, FP32 lanes by compute capability");
  return model;
}

} // namespace fuselage

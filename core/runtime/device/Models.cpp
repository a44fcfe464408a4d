#include "core/runtime/device/Models.h"
#include "core/codegen/MatrixInstructions.h"
#include "core/codegen/host/kernels/HostCpu.h"
#include "core/runtime/device/CooperativeMatrices.h"
#include "core/runtime/device/CudaDriver.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <thread>
#include <unistd.h>

namespace fuselage {
namespace {

/// Sets what is known: a number above 0.
template <class T, class Number> void state(Stated<T> &stated, Number value, const char *source) {
  if (value > 0)
    stated = {T(value), source};
}

/// Cores and caches of this processor, for the host and for what poses as a GPU on it.
void stateProcessor(DeviceModel &model) {
  constexpr const char *source = "the operating system (sysconf)";
  state(model.cacheLineBytes, sysconf(_SC_LEVEL1_DCACHE_LINESIZE), source);
  state(model.firstCacheBytes, sysconf(_SC_LEVEL1_DCACHE_SIZE), source);
  state(model.lastCacheBytes, std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE)), source);
  state(model.computeUnits, std::thread::hardware_concurrency(), "the operating system (processors)");
}

/// Whether HostCpu's vector registers are this processor's.
bool hasKnownRegisters() {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  return triple.getArch() == llvm::Triple::x86_64 || triple.isAArch64(64);
}

/// llvmpipe has a number of all lanes of a subgroup in one vector register, and compiles for this processor as LLVM
/// does: its machine code for one with AVX-512 has ymm16 to ymm31.
void stateLaneRegisters(DeviceModel &model) {
  const HostCpu &cpu = hostCpu();
  int64_t width = std::min<int64_t>(cpu.vectorBytes, 32), lanes = 4 * model.subgroupSize.value;
  if (hasKnownRegisters() && lanes > 0)
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

DeviceModel cudaModel(const std::string &name, const std::string &chip, llvm::function_ref<int(int)> attribute) {
  constexpr const char *source = "cuDeviceGetAttribute";
  unsigned capability = 0;
  llvm::StringRef(chip).drop_front(3).getAsInteger(10, capability);
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
        "stated: clock and multiprocessors of cuDeviceGetAttribute, units by compute capability");
  return model;
}

DeviceModel hostModel() {
  DeviceModel model;
  model.name = llvm::sys::getHostCPUName().str();
  model.kind = {DeviceKind::Software, "the host"};
  model.language = {"host", "the host"};
  model.chip = {model.name, "LLVM"};
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  int lanes = features.lookup("avx512f") ? 16 : features.lookup("avx2") ? 8 : 4;
  model.subgroupSize = {lanes, "LLVM: f32 in a vector register"};
  model.maxThreads = {std::max<int64_t>(lanes, std::thread::hardware_concurrency()),
                      "the operating system (processors)"};
  stateProcessor(model);
  const HostCpu &cpu = hostCpu();
  if (hasKnownRegisters())
    model.registersPerThread = {int64_t(cpu.vectorRegisters) * cpu.vectorBytes / 4,
                                "LLVM: a thread's vector registers, " + cpu.vectors};
  return model;
}

} // namespace fuselage

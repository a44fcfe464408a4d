#include "core/codegen/CodegenSteps.h"
#include "core/codegen/MatrixInstructions.h"
#include "core/transforms/bufferize/BufferizationOptions.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace fuselage {
namespace {

/// What SPIR-V kernels may need; spirv-update-vce cuts it down to what each one uses.
std::string spirvTarget(const TargetOptions &options) {
  bool hasMatrices = !matrixShapesOf(options).empty();
  return llvm::formatv(
      "spirv-attach-target{{caps=Shader,GroupNonUniform,GroupNonUniformShuffle,ImageBuffer,SampledBuffer,"
      "StorageImageExtendedFormats,Int8,Int16,Int64,Float16,Float64,StorageBuffer8BitAccess,StorageBuffer16BitAccess{0}"
      " "
      "exts=SPV_KHR_storage_buffer_storage_class,SPV_KHR_8bit_storage,SPV_KHR_16bit_storage{1} ver=v1.{2} "
      "client_api=Vulkan}",
      hasMatrices ? ",CooperativeMatrixKHR,VulkanMemoryModel" : "",
      hasMatrices ? ",SPV_KHR_cooperative_matrix,SPV_KHR_vulkan_memory_model" : "", hasMatrices ? 6 : 3);
}

/// An option's value as the pipeline's parser takes it, blanks and all.
std::string quoted(StringRef value) { return ("\"" + value + "\"").str(); }

std::string lowerPipeline(const TargetOptions &options) {
  bool spirv = options.target == KernelTarget::Spirv;
  bool libdevice = !spirv && !options.cudaToolkit.empty();
  std::string common = llvm::formatv(
      "gpu-launch-sink-index-computations,gpu-kernel-outlining,"
      "fuselage-flatten-kernel-buffers{{index-bitwidth={1}}{4},lower-affine,canonicalize,{2}cse,"
      "fuselage-legalize-kernel-types,fuselage-legalize-kernel-arith{{target={0}},"
      "fuselage-legalize-kernel-math{{target={0}{3}},arith-expand,canonicalize,cse",
      spirv ? "spirv" : "nvvm", options.indexWidth(),
      spirv ? "cse,loop-invariant-code-motion,fuselage-vector-buffers,canonicalize," : "",
      libdevice ? " libdevice=true" : "", spirv ? "" : ",fuselage-lower-matrix-ops{chip=" + options.chip + "}");
  // A thread of an NVIDIA GPU has no registers for the sums of blocks beside those of a tile.
  common += spirv ? ",fuselage-block-sums,canonicalize" : ",fuselage-block-sums{most-carried=16},canonicalize";
  if (options.device.maxLoopRounds.value != 0)
    common += llvm::formatv(",fuselage-limit-loop-rounds{{max-rounds={0}},canonicalize,cse",
                            options.device.maxLoopRounds.value);
  if (spirv)
    return llvm::formatv("builtin.module({0},{1},fuselage-set-kernel-abi,"
                         "gpu.module(convert-math-to-spirv),convert-gpu-to-spirv{2},"
                         "spirv.module(spirv-lower-abi-attrs{3},spirv-update-vce{4}))",
                         common, spirvTarget(options), options.indexWidth() == 64 ? "{use-64bit-index=true}" : "",
                         options.device.readsThroughTexels.value ? ",fuselage-read-through-texels" : "",
                         matrixShapesOf(options).empty() ? "" : ",fuselage-use-vulkan-memory-model");
  return llvm::formatv(
      "builtin.module({0},fuselage-bound-registers{{bytes-per-unit={4}{5}},fuselage-attribute-workgroup-memory,nvvm-"
      "attach-target{{chip={1} features={2} O=3},"
      "gpu.module(convert-nvgpu-to-nvvm,convert-scf-to-cf,convert-vector-to-llvm,"
      "convert-gpu-to-nvvm{{use-bare-ptr-memref-call-conv=true},"
      "canonicalize,cse,reconcile-unrealized-casts),"
      "gpu-module-to-binary{{format=isa{3}})",
      common, options.chip, options.features, libdevice ? " toolkit=" + quoted(options.cudaToolkit) : "",
      options.device.unitWorkgroupBytes.value, capabilityOf(options.chip) >= 100 ? " no-pairs=true" : "");
}

} // namespace

int64_t lanesOf(const DeviceModel &device) {
  return device.isSoftware() && llvm::is_contained(device.subgroupOperations.value, "shuffle")
             ? device.subgroupSize.value
             : 0;
}

int64_t unitsOf(const TargetOptions &options) {
  const DeviceModel &device = options.device;
  bool isWide = options.target == KernelTarget::Ptx && device.kind.value == DeviceKind::Discrete &&
                device.registersPerThread.value >= 128;
  constexpr int64_t usual = 64; // where nobody knows how many there are
  return !isWide ? 0 : device.computeUnits.isKnown() ? std::max<int64_t>(device.computeUnits.value, 1) : usual;
}

int64_t processorsOf(const DeviceModel &device) {
  return device.isSoftware() || !device.computeUnits.isKnown() ? 0 : device.computeUnits.value;
}

/// The share of workgroup memory that each of two workgroups on an NVIDIA GPU's unit has.
static int64_t sharedBytesOf(const TargetOptions &options) {
  int64_t share = options.device.unitWorkgroupBytes.value / 2 - 1024; // a KiB of each is the driver's
  return std::max<int64_t>(std::min<int64_t>(share, options.maxSharedBytes()), options.device.workgroupBytes.value);
}

/// Workgroup memory for tiles: a little is left for what passes add to them.
static int64_t workgroupBytesOf(const TargetOptions &options) {
  return options.maxSharedBytes() - options.maxSharedBytes() / 32;
}

/// In front of tiling, the tiles of attention.
static std::string widenPipeline(const TargetOptions &options) {
  int64_t units = unitsOf(options), lanes = lanesOf(options.device);
  if (units == 0)
    return lanes == 0 ? ""
                      : llvm::formatv("fuselage-widen-attention{{max-workgroup-bytes={0} lanes={1}},",
                                      workgroupBytesOf(options), lanes)
                            .str();
  return llvm::formatv("fuselage-widen-attention{{max-workgroup-bytes={0} unit-workgroup-bytes={1} units={2}{3}},",
                       sharedBytesOf(options), options.device.unitWorkgroupBytes.value, units,
                       matrixTypesOption(options))
      .str();
}

bool widensAttention(const TargetOptions &options) { return !widenPipeline(options).empty(); }

/// Behind the mapping to threads, what only NVIDIA's GPUs have: two workgroups a unit, each with its share of workgroup
/// memory.
static std::string nvidiaPipeline(const TargetOptions &options) {
  if (unitsOf(options) == 0)
    return "";
  int64_t bytes = sharedBytesOf(options);
  std::string pipeline = ",func.func(canonicalize,cse,fuselage-swizzle-workgroup-memory";
  // A round of the widest tile is 1024 multiply-adds a thread, which hides what a copy takes; more stages cost
  // registers.
  if (capabilityOf(options.chip) >= 80)
    pipeline += llvm::formatv(",fuselage-pipeline-copies{{stages=2 max-workgroup-bytes={0} most-workgroup-bytes={1}}",
                              bytes, options.maxSharedBytes());
  return pipeline + ")";
}

TilingPolicy tilingPolicyOf(const TargetOptions &options) {
  int64_t units = unitsOf(options);
  TilingPolicy policy = units > 0 ? TilingPolicy::forUnits(units) : TilingPolicy::forLanes(lanesOf(options.device));
  policy.maxWorkgroupBytes = workgroupBytesOf(options);
  policy.processors = processorsOf(options.device);
  policy.matrixTypes = matrixTypesOf(options);
  return policy;
}

CodegenPipelines codegenPipelines(const TargetOptions &options) {
  const TilingPolicy policy = tilingPolicyOf(options);
  int64_t lanes = policy.lanes, units = policy.units;
  std::string byLanes = lanes ? " lanes=" + std::to_string(lanes) : "";
  std::string byUnits = units ? " units=" + std::to_string(units) : "";
  int64_t processors = policy.processors;
  std::string bytes = std::to_string(policy.maxWorkgroupBytes);
  return {
      .tileToWorkgroups = llvm::formatv(
          "builtin.module(func.func({5}fuselage-tile-to-workgroups{{max-workgroup-bytes={0}{1}{2}{3}{4}}))", bytes,
          byLanes, byUnits, processors ? " processors=" + std::to_string(processors) : "", matrixTypesOption(options),
          widenPipeline(options)),
      .fuseProducers = "builtin.module(func.func(fuselage-fuse-producers))",
      .tileReductions = "builtin.module(func.func(fuselage-tile-reductions" +
                        (lanes ? "{lanes=" + std::to_string(lanes) + "}" : std::string()) + "))",
      // Lanes have what they read in registers; memory of the workgroup is slower than the cache it lies in.
      .promote = lanes ? std::string("builtin.module(func.func(fuselage-swap-alloc-tensor))")
                       : llvm::formatv("builtin.module(func.func(fuselage-promote-operands{{max-workgroup-bytes={0}{1}}"
                                       ",fuselage-swap-alloc-tensor))",
                                       bytes, units ? " results-in-registers=true" : "")
                             .str(),
      .outline = "builtin.module(fuselage-outline-dispatches)",
      .bufferize = llvm::formatv("builtin.module({0},{1},"
                                 "buffer-results-to-out-params{{hoist-static-allocs=true hoist-dynamic-allocs=true},"
                                 "canonicalize,cse,canonicalize)", // a copy onto itself shows once views are one value
                                 bufferPreparation, oneShotBufferize),
      .mapToGpu =
          llvm::formatv("builtin.module(func.func(fuselage-map-to-gpu{{max-threads={0} "
                        "max-workgroup-bytes={1}{3}{5}},"
                        "fuselage-launch-plain-kernels{{index-bitwidth={2}}){4},canonicalize,cse)",
                        options.device.maxThreads.value, options.maxSharedBytes(), options.indexWidth(),
                        units ? " register-tile=8" : byLanes, nvidiaPipeline(options), matrixShapesOption(options)),
      .lower = lowerPipeline(options),
  };
}

} // namespace fuselage

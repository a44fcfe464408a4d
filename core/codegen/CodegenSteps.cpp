#include "core/codegen/CodegenSteps.h"
#include "core/codegen/MatrixInstructions.h"
#include "core/codegen/Targets.h"
#include "core/device/NvidiaChips.h"
#include "core/transforms/bufferize/BufferizationOptions.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
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
  std::string common =
      llvm::formatv("gpu-launch-sink-index-computations,gpu-kernel-outlining,"
                    "fuselage-flatten-kernel-buffers{{index-bitwidth={1}}{4},lower-affine,canonicalize,{2}cse,"
                    "fuselage-legalize-kernel-types,fuselage-legalize-kernel-arith{{target={0}},"
                    "fuselage-legalize-kernel-math{{target={0}{3}},arith-expand,canonicalize,cse",
                    spirv ? "spirv" : "nvvm", options.indexWidth(),
                    spirv ? "cse,loop-invariant-code-motion,fuselage-vector-buffers,canonicalize," : "",
                    libdevice ? " libdevice=true" : "", spirv ? "" : ",fuselage-lower-matrix-ops");
  // A thread of an NVIDIA GPU has no registers for the sums of blocks beside those of a tile.
  common +=
      spirv ? ",fuselage-blocked-summation,canonicalize" : ",fuselage-blocked-summation{most-carried=16},canonicalize";
  if (options.device.maxLoopRounds.value != 0)
    common += ",fuselage-limit-loop-rounds,canonicalize,cse";
  if (spirv)
    return llvm::formatv("builtin.module({0},{1},fuselage-set-kernel-abi,"
                         "gpu.module(convert-math-to-spirv),convert-gpu-to-spirv{2},"
                         "spirv.module(spirv-lower-abi-attrs{3},spirv-update-vce{4}))",
                         common, spirvTarget(options), options.indexWidth() == 64 ? "{use-64bit-index=true}" : "",
                         options.device.readsThroughTexels.value ? ",fuselage-read-through-texels" : "",
                         matrixShapesOf(options).empty() ? "" : ",fuselage-use-vulkan-memory-model");
  return llvm::formatv(
      "builtin.module({0},fuselage-mark-noalias,fuselage-bound-registers,fuselage-attribute-workgroup-memory,fuselage-"
      "attach-nvidia-target{2},"
      "gpu.module(convert-nvgpu-to-nvvm,convert-scf-to-cf,convert-vector-to-llvm,"
      "convert-gpu-to-nvvm{{use-bare-ptr-memref-call-conv=true},"
      "canonicalize,cse,reconcile-unrealized-casts),"
      "gpu-module-to-binary{{format=isa{1}})",
      common, libdevice ? " toolkit=" + quoted(options.cudaToolkit) : "",
      options.features == ptxFeatureOf(options.chip) ? "" : "{ptx=" + options.features + "}");
}

/// After the mapping to threads: swizzled tiles, and copies ahead.
std::string workgroupMemoryPipeline(const TargetStrategy &strategy) {
  if (!strategy.swizzlesWorkgroupMemory())
    return "";
  // A round of the widest tile is 1024 multiply-adds a thread, which hides what a copy takes; more stages cost
  // registers.
  return std::string(",func.func(canonicalize,cse,fuselage-swizzle-workgroup-memory") +
         (strategy.asyncCopies() ? ",fuselage-pipeline-copies{stages=2}" : "") + ")";
}

} // namespace

CodegenPipelines codegenPipelines(const TargetOptions &options) {
  const std::unique_ptr<TargetStrategy> strategy = strategyFor(options);
  return {
      .tileToWorkgroups = "builtin.module(func.func(fuselage-tile-attention,fuselage-tile-to-workgroups))",
      .fuseProducers = "builtin.module(func.func(fuselage-fuse-producers))",
      .tileReductions = "builtin.module(func.func(fuselage-tile-reductions))",
      .promote = std::string("builtin.module(func.func(") +
                 (strategy->promotesOperands() ? "fuselage-promote-operands," : "") + "fuselage-swap-alloc-tensor))",
      .outline = "builtin.module(fuselage-outline-dispatches)",
      .mergeEqual = "builtin.module(fuselage-merge-equal-dispatches)",
      .bufferize = llvm::formatv("builtin.module({0},{1},"
                                 "buffer-results-to-out-params{{hoist-static-allocs=true hoist-dynamic-allocs=true},"
                                 "canonicalize,cse,canonicalize)", // a copy onto itself shows once views are one value
                                 bufferPreparation, oneShotBufferize),
      .mapToGpu = llvm::formatv("builtin.module(func.func(fuselage-map-to-gpu,"
                                "fuselage-launch-plain-kernels{{index-bitwidth={0}}){1},canonicalize,cse)",
                                options.indexWidth(), workgroupMemoryPipeline(*strategy)),
      .lower = lowerPipeline(options),
  };
}

} // namespace fuselage

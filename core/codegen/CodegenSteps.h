// The pipelines behind codegenSteps, in pieces that compileDispatch runs too.
#pragma once
#include "core/codegen/Codegen.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"

namespace fuselage {

/// The stages between a dispatch on tensors and a kernel's binary; one pipeline text each.
struct CodegenPipelines {
  std::string tileToWorkgroups, fuseProducers, tileReductions, promote; ///< tuned path only
  std::string outline;
  std::string bufferize;
  std::string mapToGpu;
  std::string lower;
};
CodegenPipelines codegenPipelines(const TargetOptions &options);

/// Threads of a subgroup that makes up a workgroup, on devices that run on a processor; 0 where workgroups are larger.
int64_t lanesOf(const DeviceModel &device);

/// Multiprocessors of an NVIDIA GPU, whose threads hold 8 by 8 results of a contraction; 0 for other devices and
/// targets.
int64_t unitsOf(const TargetOptions &options);

/// Multiprocessors that a product with few results is to fill; 0 where nobody knows how many there are, and for a
/// processor that poses as a GPU, whose few cores have tiles enough.
int64_t processorsOf(const DeviceModel &device);

/// Whether `tileToWorkgroups` gives attention other tiles, such as somebody asks for.
bool widensAttention(const TargetOptions &options);

/// What `tileToWorkgroups` goes by.
TilingPolicy tilingPolicyOf(const TargetOptions &options);

} // namespace fuselage

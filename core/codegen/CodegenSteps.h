// The pipelines of codegenSteps, in pieces that compileDispatch runs too.
#pragma once
#include "core/codegen/Codegen.h"

namespace fuselage {

/// The stages between a dispatch on tensors and a kernel's binary; one pipeline text each. They hold no numbers of the
/// device: passes read those from the module's `fuselage.device` (see kernelDevice).
struct CodegenPipelines {
  std::string tileToWorkgroups, fuseProducers, tileReductions, promote; ///< tuned path only
  std::string outline;
  std::string mergeEqual;
  std::string bufferize;
  std::string mapToGpu;
  std::string lower;
};
CodegenPipelines codegenPipelines(const TargetOptions &options);

} // namespace fuselage

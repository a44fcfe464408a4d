// The pipeline that teaches: what `fuselage step` runs when nobody asks for another.
#pragma once
#include "core/codegen/Codegen.h"

namespace fuselage {

/// Clean-up, dispatch formation and elementwise fusion, then codegenSteps() for the target.
std::vector<PipelineStep> defaultPipeline(const TargetOptions &options);

/// What comes in front of it where a module needs it (needsNormalization).
PipelineStep normalizationStep();

/// "spirv" or "ptx" with default limits; Failure: another name.

} // namespace fuselage

// The pipeline that teaches: what `fuselage step` runs when nobody asks for another.
#pragma once
#include "core/codegen/Codegen.h"
#include <optional>

namespace fuselage {

/// Clean-up, dispatch formation and elementwise fusion, then `tuned`, where it is given, and codegenSteps() for the
/// target.
std::vector<PipelineStep> defaultPipeline(const TargetOptions &options,
                                          std::optional<PipelineStep> tuned = std::nullopt);

/// What comes before it where a module needs it (needsNormalization).
PipelineStep normalizationStep();

} // namespace fuselage

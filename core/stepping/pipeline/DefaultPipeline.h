// The pipeline that teaches: what `fuselage step` runs when nobody asks for another.
#pragma once
#include "core/codegen/Codegen.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace fuselage {

/// Clean-up, dispatch formation and elementwise fusion, then `tuned`, where it is given, and codegenSteps() for the
/// target. `outlinesFirst`: of these, dispatches are outlined and equal ones merged first, so that what is equal is
/// tiled once. The others work on a function as on a region; a graph shows calls from then on.
std::vector<PipelineStep> defaultPipeline(const TargetOptions &options,
                                          std::optional<PipelineStep> tuned = std::nullopt, bool outlinesFirst = false);

/// Whether most ops of a function of the module stand in layers that are equal to others (findEqualLayers).
bool isOfEqualLayers(mlir::ModuleOp module);

/// What comes before it where a module needs it (needsNormalization).
PipelineStep normalizationStep();

} // namespace fuselage

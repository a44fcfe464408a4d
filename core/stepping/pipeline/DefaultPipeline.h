// The pipeline that teaches: what `fuselage step` runs when nobody asks for another.
#pragma once
#include "core/codegen/Codegen.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>

namespace fuselage {

/// Clean-up, dispatch formation and elementwise fusion, then `tuned`, where it is given, and codegenSteps() for the
/// target.
std::vector<PipelineStep> defaultPipeline(const TargetOptions &options,
                                          std::optional<PipelineStep> tuned = std::nullopt);

/// Whether most ops of a function of the module stand in layers that are equal to others (findEqualLayers).
bool isOfEqualLayers(mlir::ModuleOp module);

/// Moves the outlining of dispatches and the merging of equal ones to before the first step of codegenSteps(), so that
/// what is equal is tiled once. The steps between work on a function as on a region; a graph shows calls from then on.
void outlineFirst(std::vector<PipelineStep> &steps, const TargetOptions &options);

/// What comes before it where a module needs it (needsNormalization).
PipelineStep normalizationStep();

} // namespace fuselage

// What a tuning library has for a recording of the default pipeline.
#pragma once
#include "core/codegen/Codegen.h"
#include "core/tuning/library/TunedLibrary.h"

namespace fuselage::tune {

/// Looks up the dispatches that the default pipeline makes of `module`, which stays as it is, on the GPUs of this
/// machine that kernels for `target` ("spirv" or "ptx") run on: the first for which the library has any. nullopt: there
/// is none, or dispatches cannot be formed.
std::optional<TunedSteps> tunedSteps(mlir::ModuleOp module, const TunedDispatches &tuned, llvm::StringRef target);

} // namespace fuselage::tune

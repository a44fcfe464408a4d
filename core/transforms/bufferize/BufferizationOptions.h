// How Fuselage bufferizes, in one place: for pipelines, and for the report on what bufferization does.
#pragma once
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include <string>

namespace fuselage {

/// The passes before One-Shot Bufferize: they mark what dispatches may write, and let empty
/// tensors be the place where their contents go in the end. Passes of a builtin.module.
inline constexpr const char *bufferPreparation =
    "func.func(fuselage-prepare-dispatches,fuselage-prepare-bufferization),eliminate-empty-tensors";
/// All but the last.
inline constexpr const char *dispatchPreparation =
    "func.func(fuselage-prepare-dispatches,fuselage-prepare-bufferization)";

/// One-Shot Bufferize: across function boundaries, whose buffers are dense, and with loops that may
/// hand on a new buffer.
inline constexpr const char *oneShotBufferize =
    "one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true "
    "function-boundary-type-conversion=identity-layout-map}";

/// The same as a value. Ops that cannot be bufferized stay as they are, where the pass would fail.
mlir::bufferization::OneShotBufferizationOptions oneShotOptions();

} // namespace fuselage

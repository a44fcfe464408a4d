// IREE's tuning specs: transform scripts that match dispatches and attach lowering configurations.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include <optional>

namespace fuselage {

/// Whether IREE begins at this sequence of a tuning spec.
bool isSpecEntry(mlir::transform::NamedSequenceOp sequence);

/// What a script that begins at `entry` does if it is a tuning spec: which matchers it tries in which order, and the
/// configuration that what matches gets. nullopt: it is none.
std::optional<Diagnostic> describeTuningSpec(mlir::Operation *entry, llvm::StringRef path);

} // namespace fuselage

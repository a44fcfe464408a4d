// Whether a module has functions, boundaries and ops that passes do not know.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether `fuselage-normalize-foreign` has something to do.
bool needsNormalization(mlir::ModuleOp module);

} // namespace fuselage

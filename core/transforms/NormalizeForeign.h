// Whether a module has functions that passes do not know.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether `fuselage-normalize-foreign` would change the module: it holds a util.func, or a mere view
/// as a hal.tensor.import or export.
bool needsNormalization(mlir::ModuleOp module);

} // namespace fuselage

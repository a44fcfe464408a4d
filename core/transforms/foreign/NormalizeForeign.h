// Whether a module has functions that passes do not know.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether `fuselage-normalize-foreign` has something to do: the module holds a util.func, an op on
/// tensors as of 2020, or a mere view as a hal.tensor.import or export.
bool needsNormalization(mlir::ModuleOp module);

} // namespace fuselage

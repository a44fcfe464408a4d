// Sums that share their loops, each in loops of its own.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place, on tensors: an op with several results that do not need each other, all of whose inputs are read often,
/// becomes one op a result. What they share is in the cache anyway, and the registers are for one tile.
void splitSums(mlir::ModuleOp module);

} // namespace fuselage

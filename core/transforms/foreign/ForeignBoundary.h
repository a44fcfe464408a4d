// Where a caller's buffers become tensors and tensors become buffers again.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// An import or export (`hal.tensor.import`, ...) that does nothing but look at its operand in another type, perhaps
/// after a fence.
bool isBoundary(mlir::Operation *op);

/// `hal.tensor.barrier` and `hal.tensor.alias` hand on the tensors that they are given.
void dropBarriers(mlir::ModuleOp module);

/// Moves tensors into the signature of a function that nobody calls: arguments that are only imported, results that
/// are exported. Fences that nothing waits for any more go, and so do attributes that speak of the old signature.
void normalizeBoundary(mlir::func::FuncOp function);

/// Imports and exports that stay become casts, if they wait for nothing.
void castBoundaries(mlir::ModuleOp module);

} // namespace fuselage

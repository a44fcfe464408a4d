// Telling of each op of a rewritten copy which op of the original it stands for.
#pragma once
#include "core/ir/module/PrintedModule.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Gives every op below `root`, in the order of OpIds, a location that holds its number. Passes keep
/// locations: what they make of an op has its number, too. Diagnostics still have the place in the file.
void tagOps(mlir::Operation *root);

/// Gives an op another number than it got by its place.
void tagOp(mlir::Operation *op, OpId tag);

/// The number that a location holds; -1 if it holds none. Of several, the first.
OpId tagOf(mlir::Location location);
inline OpId tagOf(mlir::Operation *op) { return tagOf(op->getLoc()); }

} // namespace fuselage

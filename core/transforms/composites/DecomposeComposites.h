// Which ops fuselage-decompose-composites opens.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Whether an op of another project's dialect has a decomposition here; whether it fits shows when it is tried.
bool isForeignComposite(mlir::Operation *op);

/// Opens one, if it fits.
void decomposeForeignComposite(mlir::Operation *op);
/// Opens those below `root`.
void decomposeForeignComposites(mlir::Operation *root);

} // namespace fuselage

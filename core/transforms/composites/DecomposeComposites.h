// Which ops fuselage-decompose-composites opens.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Whether an op of another project's dialect has a decomposition here; whether it fits shows when it is tried.
bool isForeignComposite(mlir::Operation *op);

/// Whether it is one of those that become sequential loops: scan, scatter, sort, topk.
bool isLoopComposite(mlir::Operation *op);

/// Opens one, if it fits; isForeignComposite must hold.
void decomposeForeignComposite(mlir::Operation *op);
/// Opens those below `root`; `portable`: but those of which isLoopComposite is true, which other
/// compilers lower in ways of their own.
void decomposeForeignComposites(mlir::Operation *root, bool portable = false);

} // namespace fuselage

// Loops called parallel whose iterations write the same elements.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether the op is a linalg.generic with a parallel loop that does not index one of its outputs.
bool hasSharedOutputs(mlir::Operation *op);

/// Calls such loops reductions. The verifier takes them as parallel, and upstream's lowering to
/// loops runs them one after the other, so that what the payload makes of the element is
/// accumulated; passes that run parallel loops at once would lose some of it.
void reduceSharedOutputs(mlir::ModuleOp module);

} // namespace fuselage

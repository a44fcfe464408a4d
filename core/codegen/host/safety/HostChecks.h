// Assertions before ops that may go wrong while they run.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place, on functions on tensors whose elementwise ops are structured: each assertion's message names the op and
/// its place, after kCheckMark (HostSymbols.h). Upstream's RuntimeVerifiableOpInterface knows indices, slices, casts
/// and the shapes of structured ops; divisions, vectors that are read and written, sizes, steps of loops and expanded
/// shapes are added.
void insertAssertions(mlir::ModuleOp module);

} // namespace fuselage

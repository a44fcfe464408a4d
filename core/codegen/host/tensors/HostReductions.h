// Rewrites of reductions on tensors for the host.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Rewrites ops with several independent results whose inputs are all read at least eight times into one op per result.
/// Shared inputs come from the cache, and each op has all registers for its tile.
void separateResults(mlir::ModuleOp module);

/// Fuses dequantizations into ops that read each element once, such as a matrix-vector product, so that dequantized
/// weights take no memory.
void fuseInputsReadOnce(mlir::ModuleOp module);

/// Splits long reductions with too few results for `threads` threads into runs (see chooseRuns).
void splitLongReductions(mlir::ModuleOp module, unsigned threads);

} // namespace fuselage

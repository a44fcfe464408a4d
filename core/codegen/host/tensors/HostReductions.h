// Sums that share their loops, each in loops of its own; and sums that are long, shared by threads.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place, on tensors: an op with several results that do not need each other, all of whose inputs are read often,
/// becomes one op a result. What they share is in the cache anyway, and the registers are for one tile.
void separateResults(mlir::ModuleOp module);

/// In place, on tensors: weights that are unpacked for a product with one row are unpacked in it, each once, and have
/// no memory.
void fuseInputsReadOnce(mlir::ModuleOp module);

/// In place, on tensors: what is summed up to fewer results than keep all threads busy becomes partial sums of runs,
/// and a sum of those.
void splitLongReductions(mlir::ModuleOp module, unsigned threads);

} // namespace fuselage

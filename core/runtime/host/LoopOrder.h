// In which order the host's loops run.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place, on tensors: moves the best loop of every reduction innermost, so that LLVM can vectorize, and copies
/// operands that lie across it. The order of the reductions stays, and with it the order in which each result
/// accumulates.
void interchangeReductions(mlir::ModuleOp module);

} // namespace fuselage

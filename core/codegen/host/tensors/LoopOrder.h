// In which order the host's loops run.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place, on tensors: lays windows out along channels where those are wide. `forKernels`: only those of narrow
/// numbers, and nothing else. Otherwise also moves the best loop of every reduction innermost, so that LLVM can
/// vectorize, and copies operands that lie across it. The order of the reductions stays, and with it the order in which
/// each result accumulates.
void layOutLoops(mlir::ModuleOp module, bool forKernels);

} // namespace fuselage

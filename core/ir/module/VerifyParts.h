// MLIR's verifier on two threads.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Verifies `op` and all that is in it: first what each function holds, part by part on two threads, then functions and
/// modules themselves. Says nothing. `isSafe`: whether the verifier may look at an op.
///
/// False does not mean that something is wrong: the module may be small, or there may be one processor only. What is
/// wrong is told by verifySafely(), which has to follow.
bool verifyParts(mlir::Operation *op, bool (*isSafe)(mlir::Operation *op));

} // namespace fuselage

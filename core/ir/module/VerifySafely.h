// MLIR's verifier, of ops that it would read past the end of.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// mlir::verify(), after a look at the ops that list constants and operands together (tiles, offsets, bounds), and at
/// the groups of reshapes: one that has not as many operands as its list has places for them, or groups that are empty,
/// is refused with an error. Verifiers of upstream read what is not there, and what they find decides whether they
/// crash.
llvm::LogicalResult verifySafely(mlir::Operation *op, bool recursively = true);

} // namespace fuselage

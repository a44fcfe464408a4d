// MLIR's verifier, of ops that it would read past the end of.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// mlir::verify(), after a look at the ops that list constants and operands together (tiles, offsets, bounds), and at
/// the groups of reshapes: one that has not as many operands as its list has places for them, or groups that are empty,
/// is refused with an error. Verifiers of upstream read what is not there, and what they find decides whether they
/// crash.
llvm::LogicalResult verifySafely(mlir::Operation *op, bool recursively = true);

/// The same with the same messages, on two threads if the op holds much. Ops are not verified in their order: where one
/// is wrong, another that looks at it may crash first, so this is for a process that may die, or for what passes made.
llvm::LogicalResult verifyQuickly(mlir::Operation *op);

} // namespace fuselage

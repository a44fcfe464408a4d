// Loops that count, which JAX writes as while loops.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Turns each `scf.while` below `root` whose condition compares a counter with a bound that stays, and whose body adds
/// 1 to it, into an `scf.for`. The counter is a tensor without dimensions, as StableHLO has it.
void liftCountedLoops(mlir::Operation *root);

} // namespace fuselage

// Keeps conversions between float types from being optimized away.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Removes fast-math flags from arith.extf and arith.truncf in `root`. With those that upstream's emulation of types
/// sets (arith-emulate-unsupported-floats, math-extend-to-supported-types), a truncf and an extf may cancel; but a bf16
/// product must be rounded before it is used.
void roundStrictly(mlir::Operation *root);

} // namespace fuselage

// Conversions between floats that are not to be left out.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Takes fast-math flags off arith.extf and arith.truncf in `root`: those that upstream's emulation of types puts
/// on (arith-emulate-unsupported-floats, math-extend-to-supported-types) allow them to be left out in pairs, and a
/// bf16 product must be rounded before it is used.
void roundStrictly(mlir::Operation *root);

} // namespace fuselage

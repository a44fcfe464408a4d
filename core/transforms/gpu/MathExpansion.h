// Math functions that no stock pattern expands, or none with the special cases of IEEE 754.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Ops in front of `op` that compute its result; null if it is none of those functions.
mlir::Value expandMath(mlir::Operation *op);
/// The same for exponentials, sines and cosines of f32, at the end: other functions are expanded to
/// them.
mlir::Value expandElementary(mlir::Operation *op);

} // namespace fuselage

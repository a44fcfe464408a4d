// Expands math functions for which upstream has no pattern, or none that handles the special cases of IEEE 754.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Emits ops before `op` that compute its result, and returns that; null if it is none of those functions.
mlir::Value expandMath(mlir::Operation *op);
/// The same for exponentials, sines and cosines of f32. To be used last, since other functions are expanded to them.
mlir::Value expandElementary(mlir::Operation *op);
/// The same for math.roundeven of floating-point numbers, by their floor. lavapipe (Mesa 22.3) makes 1 of
/// roundeven(1.5) in f64 on processors without AVX-512.
mlir::Value expandRoundEven(mlir::Operation *op);

} // namespace fuselage

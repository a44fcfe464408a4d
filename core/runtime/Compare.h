// How far two results are apart, and whether that is still the same result.
#pragma once
#include "core/runtime/HostTensor.h"

namespace fuselage {

struct Comparison {
  double maxAbsError = 0;
  double maxRelError = 0; ///< max|a-b| / max(1e-6, max|b|); infinite where only one is NaN or they
                          ///< differ in infinity
  bool ok = true;
};

/// Compares element by element. Integers, i1 and index must be equal; NaN equals NaN, an infinity
/// equals itself; all else is ok up to maxRelError <= `tolerance`. Types must agree.
Comparison compareTensors(const HostTensor &actual, const HostTensor &expected, double tolerance);

/// The relative error that counts as equal for a floating-point type: f64 1e-9, f32 1e-4,
/// f16 1e-2, bf16 4e-2, narrower floats 0.25. 0 for integers.
double toleranceOf(mlir::Type elementType);

/// The widest tolerance of any type that a value inside `root` has: a result is no more exact than
/// what it was computed from.
double toleranceWithin(mlir::Operation *root);

} // namespace fuselage

// Numbers of uniform quantized types: what they are stored as, and what they stand for.
#pragma once
#include "core/transforms/stablehlo/scalars/Scalar.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

namespace fuselage {

/// Scale and zero point as numbers of the expressed type.
struct QuantParameters {
  Scalar scale, zeroPoint;

  /// Of a type that has one scale, as constants.
  static QuantParameters of(const Scalar &at, mlir::quant::UniformQuantizedType type);
};

/// (stored - zero point) * scale
Scalar dequantized(const Scalar &stored, mlir::quant::QuantizedType type, const QuantParameters &parameters);
/// real / scale + zero point, within the bounds of the storage, to the nearest integer, ties to even.
Scalar quantized(const Scalar &real, mlir::quant::QuantizedType type, const QuantParameters &parameters);

} // namespace fuselage

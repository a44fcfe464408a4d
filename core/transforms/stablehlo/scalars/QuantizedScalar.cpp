#include "core/transforms/stablehlo/scalars/QuantizedScalar.h"
#include "core/transforms/stablehlo/scalars/ScalarMath.h"

using namespace mlir;
using quant::QuantizedType;
using quant::UniformQuantizedType;

namespace fuselage {

Scalar dequantized(const Scalar &stored, QuantizedType type, const QuantParameters &parameters) {
  Type real = type.getExpressedType();
  Scalar number = type.isSigned() ? stored.make<arith::SIToFPOp>(real, Value(stored))
                                  : stored.make<arith::UIToFPOp>(real, Value(stored));
  return (number - parameters.zeroPoint) * parameters.scale;
}

/// The number of a type that is nearest to `number` and no larger in size: 2^31 - 1 has no place in f32.
static double boundIn(FloatType type, int64_t number) {
  APFloat bound{double(number)};
  bool loses = false;
  (void)bound.convert(type.getFloatSemantics(), APFloat::rmTowardZero, &loses);
  return bound.convertToDouble();
}

Scalar quantized(const Scalar &real, QuantizedType type, const QuantParameters &parameters) {
  Scalar scaled = real / parameters.scale + parameters.zeroPoint;
  auto bound = [&](int64_t number) { return scaled.like(boundIn(cast<FloatType>(scaled.type()), number)); };
  Scalar rounded =
      fmin(fmax(scaled, bound(type.getStorageTypeMin())), bound(type.getStorageTypeMax())).apply<math::RoundEvenOp>();
  Type storage = type.getStorageType();
  return type.isSigned() ? rounded.make<arith::FPToSIOp>(storage, Value(rounded))
                         : rounded.make<arith::FPToUIOp>(storage, Value(rounded));
}

QuantParameters QuantParameters::of(const Scalar &at, UniformQuantizedType type) {
  auto real = [&](double number) {
    return at.make<arith::ConstantOp>(at.builder().getFloatAttr(type.getExpressedType(), number));
  };
  return {real(type.getScale()), real(double(type.getZeroPoint()))};
}

} // namespace fuselage

// Logarithms of f32 with more precision than f32.
#pragma once
#include "core/transforms/gpu/MathBuilder.h"

namespace fuselage {

/// Computes y * log2(x) of f32 numbers as the sum of two f32 numbers: with one, the rounding of an exponent near 100
/// would cost seven bits of the power (double-float arithmetic as in Dekker, "A Floating-Point Technique for Extending
/// the Available Precision", Numerische Mathematik 18, 1971).
class LogarithmParts : protected MathBuilder {
public:
  using MathBuilder::MathBuilder;

  /// `high` has half of the bits of the significand, so that products of two such numbers are exact; `low` is small
  /// compared to it.
  struct Sum {
    mlir::Value high, low;
  };
  /// log2(x) of positive normal x.
  Sum logarithm(Value x);
  Sum times(Value y, Sum sum);

protected:
  /// Returns `x` with the lower half of its significand cleared: by its bits, since GPU compilers may cancel a + b - a.
  Value upperHalf(Value x) { return realOf(bitAnd({bitsOf(x), word(0xfffff000)})); }

private:
  Sum sumOf(Value a, Value b) {
    Value high = upperHalf(add({a, b}));
    return {high, add({subtract({a, high}), b})};
  }
};

} // namespace fuselage

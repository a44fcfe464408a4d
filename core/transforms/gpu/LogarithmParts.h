// Logarithms with more digits than a number has.
#pragma once
#include "core/transforms/gpu/MathBuilder.h"

namespace fuselage {

/// Computes y * log2(x) of f32 numbers as a sum of two, since what is rounded off an exponent of
/// 100 is seven bits of the power (double-float arithmetic as in Dekker, "A Floating-Point
/// Technique for Extending the Available Precision", Numerische Mathematik 18, 1971).
class LogarithmParts : protected MathBuilder {
public:
  using MathBuilder::MathBuilder;

  /// `high` has half of a number's digits, so that its product with another half is exact, and
  /// `low` is small beside it.
  struct Sum {
    mlir::Value high, low;
  };
  /// Of positive normal x.
  Sum logarithm(Value x);
  Sum times(Value y, Sum sum);

protected:
  /// The upper half of a number's digits. Compilers for GPUs cancel a + b - a; of bits, they know
  /// nothing.
  Value upperHalf(Value x) { return realOf(bitAnd(bitsOf(x), word(0xfffff000))); }

private:
  Sum sumOf(Value a, Value b) {
    Value high = upperHalf(add(a, b));
    return {high, add(subtract(a, high), b)};
  }
};

} // namespace fuselage

#include "core/transforms/gpu/LogarithmParts.h"

using namespace mlir;

namespace fuselage {

LogarithmParts::Sum LogarithmParts::logarithm(Value x) {
  // x = m * 2^k with m around 1, between the roots of 1/2 and 2.
  Value bits = bitsOf(x);
  Value shifted = minus({bits, word(0x3f3504f3)});
  Value exponent = arith::ShRSIOp::create(builder, loc, shifted, word(23));
  Value m = realOf(minus({bits, shiftLeft({exponent, word(23)})}));
  Value k = arith::SIToFPOp::create(builder, loc, type, exponent);
  // log m = 2 atanh(s) with s = (m - 1) / (m + 1), to which what its first half leaves of the
  // dividend is added.
  Value above = subtract({m, real(1)}), sum = add({m, real(1)});
  Value sumUpper = upperHalf(sum), sumLower = subtract({m, subtract({sumUpper, real(1)})});
  Value sUpper = upperHalf(divide({above, sum}));
  Value left = subtract({subtract({above, multiply({sUpper, sumUpper})}), multiply({sUpper, sumLower})});
  Value sLower = divide({left, sum}), s = add({sUpper, sLower}), square = multiply({s, s});
  Value series = multiply({multiply({s, square}), polynomial(square, {2.0 / 9, 2.0 / 7, 2.0 / 5, 2.0 / 3})});
  Sum natural = sumOf(add({sUpper, sUpper}), add({add({sLower, sLower}), series}));
  // By 1 / ln 2 in two parts, of which the first has few digits.
  constexpr double factor = 1.4426950408889634, few = 1.4423828125;
  Value main = multiply({natural.high, real(few)});
  Sum whole = sumOf(k, main);
  Value more = add({multiply({natural.high, real(factor - few)}), multiply({natural.low, real(factor)})});
  return {whole.high, add({whole.low, more})};
}

LogarithmParts::Sum LogarithmParts::times(Value y, Sum sum) {
  Value upper = upperHalf(y), lower = subtract({y, upper});
  return {multiply({upper, sum.high}), add({multiply({lower, sum.high}), multiply({y, sum.low})})};
}

} // namespace fuselage

// Inverse functions of complex numbers, by Hull, Fairgrieve and Tang (ACM TOMS 23, 1997), and hyperbolic ones.
#include "core/transforms/stablehlo/ScalarMath.h"
#include "core/transforms/stablehlo/SpecialFunctions.h"
#include <limits>

using namespace mlir;

namespace fuselage {
namespace {

/// sqrt(x^2 + y^2) of numbers that are not negative, without overflow.
Scalar length(const Scalar &x, const Scalar &y) {
  Scalar most = fmax(x, y), least = fmin(x, y);
  Scalar ratio = least / most, scaled = most * sqrt(1 + ratio * ratio);
  return isEqual(most, least).select(most * M_SQRT2, isEqual(most, 0.0).select(most, scaled));
}

const llvm::fltSemantics &semanticsOf(const Scalar &x) { return cast<FloatType>(x.type()).getFloatSemantics(); }
double largestOf(const Scalar &x) { return APFloat::getLargest(semanticsOf(x)).convertToDouble(); }
double epsilonOf(const Scalar &x) { return std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(semanticsOf(x)))); }

} // namespace

ComplexScalar asinAcosKernel(const ComplexScalar &z) {
  Scalar x = abs(z.re), y = abs(z.im);
  double big = std::sqrt(largestOf(x)) / 8;
  Scalar xp1 = x + 1, xm1 = x - 1, isInside = x <= 1.0;
  Scalar r = length(xp1, y), s = length(abs(xm1), y), a = (r + s) * 0.5;
  Scalar y2 = y * y, sum = a + x;
  // The adjacent side of the angle that asin(z) has as its real part.
  Scalar half = sum * 0.5, right = half / (r + xp1);
  Scalar sideInside = sqrt(half * (y2 / (r + xp1) + (s - xm1)));
  Scalar sideOutside = y * sqrt(right + half / (s + xm1));
  Scalar isBig = fmax(x, y) >= big;
  Scalar re = isBig.select(y, isInside.select(sideInside, sideOutside));
  // log(a + sqrt(a^2 - 1)), by a - 1 where it is small.
  Scalar fromRight = y2 / (r + xp1);
  Scalar excess = (x < 1.0).select((fromRight + y2 / (s - xm1)) * 0.5, (fromRight + (s + xm1)) * 0.5);
  Scalar nearOne = log1p(excess + sqrt(excess * (a + 1)));
  Scalar farFromOne = log(a + sqrt((a - 1) * (a + 1)));
  Scalar im = (a <= 1.5).select(nearOne, farFromOne);
  // Where y^2 vanishes.
  Scalar isFlat = y < abs(xm1) * epsilonOf(x);
  Scalar flat = (x < 1.0).select(y / sqrt((1 - x) * xp1), log1p(xm1 + sqrt(xm1 * xp1)));
  im = (isFlat & !isBig).select(flat, im);
  Scalar most = fmax(x, y), least = fmin(x, y);
  Scalar ratio = isEqual(most, std::numeric_limits<double>::infinity()).select(most.like(0), least / most);
  im = isBig.select(log(most) + std::log(2.0) + log1p(ratio * ratio) * 0.5, im);
  return {re, im};
}

ComplexScalar complexAsin(const ComplexScalar &z) {
  ComplexScalar w = asinAcosKernel(z);
  return {atan2(z.re, w.re), copysign(w.im, z.im)};
}

ComplexScalar complexAcos(const ComplexScalar &z) {
  ComplexScalar w = asinAcosKernel(z);
  return {atan2(w.re, z.re), copysign(w.im, -z.im)};
}

/// i asin(-i z)
ComplexScalar complexAsinh(const ComplexScalar &z) {
  ComplexScalar w = complexAsin({-z.im, z.re});
  return {w.im, -w.re};
}

ComplexScalar complexAcosh(const ComplexScalar &z) {
  ComplexScalar w = asinAcosKernel(z);
  return {w.im, copysign(atan2(w.re, z.re), z.im)};
}

/// (log(1 + z) - log(1 - z)) / 2
ComplexScalar complexAtanh(const ComplexScalar &z) {
  Scalar x = abs(z.re), y = abs(z.im), gap = 1 - x;
  double big = std::sqrt(largestOf(x)) / 8;
  Scalar isBig = fmax(x, y) >= big;
  Scalar re = log1p(x * 4 / (gap * gap + y * y)) * 0.25;
  // x / (x^2 + y^2)
  Scalar scale = fmax(x, y), a = x / scale, b = y / scale;
  Scalar isInfinite = isEqual(scale, std::numeric_limits<double>::infinity());
  Scalar small = isInfinite.select(x.like(0), a / (a * a + b * b) / scale);
  re = isBig.select(small, re);
  Scalar im = atan2(y * 2, gap * (x + 1) - y * y) * 0.5;
  im = isBig.select(x.like(M_PI_2), im);
  return {copysign(re, z.re), copysign(im, z.im)};
}

/// -i atanh(i z)
ComplexScalar complexAtan(const ComplexScalar &z) {
  ComplexScalar w = complexAtanh({-z.im, z.re});
  return {w.im, -w.re};
}

ComplexScalar complexSinh(const ComplexScalar &z) {
  return {z.re.apply<math::SinhOp>() * z.im.apply<math::CosOp>(),
          z.re.apply<math::CoshOp>() * z.im.apply<math::SinOp>()};
}

ComplexScalar complexCosh(const ComplexScalar &z) {
  return {z.re.apply<math::CoshOp>() * z.im.apply<math::CosOp>(),
          z.re.apply<math::SinhOp>() * z.im.apply<math::SinOp>()};
}

} // namespace fuselage

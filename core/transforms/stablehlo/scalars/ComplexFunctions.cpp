// Inverse functions of complex numbers, by Hull, Fairgrieve and Tang (ACM TOMS 23, 1997), and hyperbolic ones.
#include "core/transforms/stablehlo/scalars/ScalarMath.h"
#include "core/transforms/stablehlo/scalars/SpecialFunctions.h"
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

// On the cuts -0 counts as 0, as it does in CHLO.
ComplexScalar complexAsin(const ComplexScalar &z) {
  ComplexScalar w = asinAcosKernel(z);
  return {atan2(z.re, w.re), (z.im < 0.0).select(-w.im, w.im)};
}

ComplexScalar complexAcos(const ComplexScalar &z) {
  ComplexScalar w = asinAcosKernel(z);
  return {atan2(w.re, z.re), (z.im < 0.0).select(w.im, -w.im)};
}

/// i asin(-i z)
ComplexScalar complexAsinh(const ComplexScalar &z) {
  ComplexScalar w = complexAsin({-z.im, z.re});
  return {w.im, -w.re};
}

ComplexScalar complexAcosh(const ComplexScalar &z) {
  ComplexScalar w = asinAcosKernel(z);
  Scalar angle = atan2(w.re, z.re);
  return {w.im, (z.im < 0.0).select(-angle, angle)};
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

/// Kahan (Branch Cuts for Complex Elementary Functions, 1987): by tan(y) and sinh(x), which lose nothing near 0.
ComplexScalar complexTanh(const ComplexScalar &z) {
  Scalar tangent = z.im.apply<math::TanOp>(), sine = z.re.apply<math::SinhOp>();
  Scalar beta = tangent * tangent + 1, squared = sine * sine, scale = beta * squared + 1;
  Scalar re = beta * sqrt(squared + 1) * sine / scale, im = tangent / scale;
  // Beyond, sinh overflows, and tanh(x) is 1.
  Scalar isFar = abs(z.re) > std::log(largestOf(z.re)) / 4;
  Scalar farIm = sin(z.im) * cos(z.im) * 4 * exp(abs(z.re) * -2);
  return {isFar.select(copysign(z.re.like(1), z.re), re), isFar.select(farIm, im)};
}

/// -i tanh(i z)
ComplexScalar complexTan(const ComplexScalar &z) {
  ComplexScalar w = complexTanh({-z.im, z.re});
  return {w.im, -w.re};
}

ComplexScalar complexExpm1(const ComplexScalar &z) {
  Scalar half = sin(z.im * 0.5);
  Scalar re = z.re.apply<math::ExpM1Op>() * cos(z.im) - half * half * 2; // cos(y) - 1 is -2 sin(y / 2)^2
  return {re, exp(z.re) * sin(z.im)};
}

/// The logarithm of the length of x + iy; `squared` is x^2 + y^2 - 1, exact where that is near 0.
static Scalar logLength(const Scalar &x, const Scalar &y, const Scalar &squared) {
  Scalar most = fmax(abs(x), abs(y)), least = fmin(abs(x), abs(y)), ratio = least / most;
  Scalar far = log(most) + log1p(ratio * ratio) * 0.5, near = log1p(squared) * 0.5;
  Scalar isNear = (most > 0.5) & (most < 2.0);
  Scalar isEndless = isEqual(most, std::numeric_limits<double>::infinity()) | isEqual(most, 0.0);
  return isEndless.select(log(most), isNear.select(near, far));
}

ComplexScalar complexLog1p(const ComplexScalar &z) {
  Scalar x = z.re + 1;
  return {logLength(x, z.im, z.re * (z.re + 2) + z.im * z.im), atan2(z.im, x)};
}

ComplexScalar complexLog(const ComplexScalar &z) {
  Scalar most = fmax(abs(z.re), abs(z.im)), least = fmin(abs(z.re), abs(z.im));
  return {logLength(z.re, z.im, (most - 1) * (most + 1) + least * least), atan2(z.im, z.re)};
}

ComplexScalar complexSqrt(const ComplexScalar &z) {
  Scalar x = abs(z.re), y = abs(z.im), most = fmax(x, y);
  Scalar isEndless = isEqual(most, std::numeric_limits<double>::infinity());
  Scalar scale = (isEqual(most, 0.0) | isEndless).select(most.like(1), most), a = x / scale, b = y / scale;
  Scalar root = sqrt(scale) * sqrt((a + sqrt(a * a + b * b)) * 0.5);
  Scalar other = isEqual(root, 0.0).select(y, y / sqrt(scale) / (root / sqrt(scale)) * 0.5);
  Scalar isLeft = z.re < 0.0;
  Scalar re = isLeft.select(other, root), im = isLeft.select(root, other);
  Scalar isUp = isEqual(y, std::numeric_limits<double>::infinity());
  Scalar flat = isEqual(x, std::numeric_limits<double>::infinity());
  Scalar isDefined = z.im.compare(arith::CmpFPredicate::ORD, z.im);
  Scalar zero = isDefined.select(x.like(0), z.im);
  re = isUp.select(y, flat.select(isLeft.select(zero, x), re));
  im = isUp.select(y, flat.select(isLeft.select(x, zero), im));
  return {re, copysign(im, z.im)};
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

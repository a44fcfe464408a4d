// The gamma function's logarithm and its derivatives, and the zeta function of Hurwitz.
#include "core/transforms/stablehlo/scalars/ScalarMath.h"
#include "core/transforms/stablehlo/scalars/SpecialFunctions.h"
#include <limits>

using namespace mlir;

namespace fuselage {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

// Lanczos: gamma(z + 1) = sqrt(2 pi) t^(z + 1/2) exp(-t) a(z) with t = z + g + 1/2 and a(z) = c0 + sum of ck / (z + k);
// g = 7 and nine coefficients, which follow from it.
constexpr double lanczosG = 7;
constexpr double lanczosFirst = 0.99999999999980993227684700473478;
constexpr double lanczos[] = {676.520368121885098567009190444019, -1259.13921672240287047156078755283,
                              771.3234287776530788486528258894,   -176.61502916214059906584551354,
                              12.507343278686904814458936853,     -0.13857109526572011689554707,
                              9.984369578019570859563e-6,         1.50563273514931155834e-7};

/// log(z + g + 1/2), exact for small z as well.
Scalar lanczosLog(const Scalar &z) { return log1p(z / (lanczosG + 0.5)) + std::log(lanczosG + 0.5); }

} // namespace

Scalar logGamma(const Scalar &x) {
  // gamma(x) gamma(1 - x) = pi / sin(pi x) leads to the half plane where the series is good.
  Scalar isReflected = x < 0.5;
  Scalar z = isReflected.select(-x, x - 1);
  Scalar series = x.like(lanczosFirst);
  for (auto [k, coefficient] : llvm::enumerate(lanczos))
    series = series + coefficient / (z + double(k + 1));
  Scalar t = z + (lanczosG + 0.5), logT = lanczosLog(z);
  // (z + 1/2 - t / log t) log t: the terms are of one size, so that less is lost.
  Scalar value = (z + 0.5 - t / logT) * logT + log(series) + 0.5 * std::log(2 * M_PI);
  Scalar magnitude = abs(x), fraction = magnitude - floor(magnitude);
  Scalar distance = (fraction > 0.5).select(1 - fraction, fraction);
  Scalar logSine = log(sin(distance * M_PI));
  Scalar isPole = isEqual(logSine, -infinity);
  Scalar reflected = isPole.select(x.like(infinity), std::log(M_PI) - logSine - value);
  Scalar result = isReflected.select(reflected, value);
  return isEqual(magnitude, infinity).select(x.like(infinity), result);
}

Scalar digamma(const Scalar &x) {
  Scalar isReflected = x < 0.5;
  Scalar z = isReflected.select(-x, x - 1);
  Scalar series = x.like(lanczosFirst), slope = x.like(0);
  for (auto [k, coefficient] : llvm::enumerate(lanczos)) {
    Scalar place = z + double(k + 1), term = coefficient / place;
    series = series + term;
    slope = slope - term / place;
  }
  Scalar t = z + (lanczosG + 0.5);
  Scalar value = lanczosLog(z) + slope / series - lanczosG / t;
  // pi cot(pi x), by the distance to the nearest pole.
  Scalar angle = (x + abs(floor(x + 0.5))) * M_PI;
  Scalar cotangent = cos(angle) / sin(angle);
  Scalar result = isReflected.select(value - cotangent * M_PI, value);
  Scalar isPole = (x <= 0.0) & isEqual(x, floor(x));
  return isPole.select(x.like(noNumber), result);
}

/// The sum of (q + k)^-x over k from 0, by the formula of Euler and Maclaurin.
Scalar hurwitzZeta(const Scalar &x, const Scalar &q) {
  // (2k)! / B(2k)
  constexpr double bernoulli[] = {12.0,
                                  -720.0,
                                  30240.0,
                                  -1209600.0,
                                  47900160.0,
                                  -1.8924375803183791606e9,
                                  7.47242496e10,
                                  -2.950130727918164224e12,
                                  1.1646782814350067249e14,
                                  -4.5979787224074726105e15,
                                  1.8152105401943546773e17,
                                  -7.1661652561756670113e18};
  constexpr int direct = 9;
  Scalar sum = pow(q, -x), place = q, term = sum;
  for (int k = 1; k <= direct; ++k) {
    place = place + 1;
    term = pow(place, -x);
    sum = sum + term;
  }
  Scalar tail = sum + term * place / (x - 1) - term * 0.5;
  Scalar factor = x.like(1), falling = term;
  for (auto [k, divisor] : llvm::enumerate(bernoulli)) {
    factor = k == 0 ? x : factor * (x + double(2 * k - 1)) * (x + double(2 * k));
    falling = falling / (k == 0 ? place : place * place);
    tail = tail + factor * falling / divisor;
  }
  // Of the terms that are left out none counts, where the last one did not.
  Scalar isExact = abs(term) <= abs(sum) * (x.type().isF64() ? 1e-16 : 6e-8);
  Scalar result = isExact.select(sum, tail);
  Scalar isInteger = isEqual(x, floor(x)), isEven = isEqual(x * 0.5, floor(x * 0.5));
  Scalar isAtPole = (q <= 0.0) & isEqual(q, floor(q));
  Scalar atPole = isEven.select(x.like(infinity), x.like(noNumber));
  Scalar isUndefined = (x < 1.0) | ((q <= 0.0) & !isInteger);
  result = isAtPole.select(atPole, isUndefined.select(x.like(noNumber), result));
  result = (x < 1.0).select(x.like(noNumber), result);
  return isEqual(x, 1.0).select(x.like(infinity), result);
}

/// The n-th derivative of digamma: (-1)^(n+1) n! zeta(n + 1, x).
Scalar polygamma(const Scalar &n, const Scalar &x) {
  Scalar isEven = isEqual(n * 0.5, floor(n * 0.5));
  Scalar sign = isEven.select(x.like(-1), x.like(1)), order = n + 1;
  Scalar value = sign * exp(logGamma(order)) * hurwitzZeta(order, x);
  Scalar result = isEqual(n, 0.0).select(digamma(x), value);
  Scalar isDefined = (n >= 0.0) & isEqual(n, floor(n));
  return isDefined.select(result, x.like(noNumber));
}

} // namespace fuselage

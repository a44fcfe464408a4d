#include "core/runtime/host/NarrowFloatFunctions.h"
#include "core/support/BitCast.h"
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace fuselage {

namespace {

/// What stands beside the finite numbers. Ieee: infinities and NaN at the largest exponent. NanOnly: one NaN, of ones
/// only. NegativeZeroNan: NaN in place of -0. FiniteOnly: nothing.
enum class Specials { Ieee, NanOnly, NegativeZeroNan, FiniteOnly };

struct FloatFormat {
  int exponentBits, mantissaBits, bias;
  Specials specials;

  uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
  uint32_t magnitudeMask() const { return signBit() - 1; }
  /// The largest finite number.
  uint32_t largest() const {
    switch (specials) {
    case Specials::Ieee:
      return magnitudeMask() - (1u << mantissaBits);
    case Specials::NanOnly:
      return magnitudeMask() - 1;
    default:
      return magnitudeMask();
    }
  }
};

/// In the order of llvm::APFloat::Semantics from Float8E5M2 on, without TF32 and Float8E8M0FNU.
constexpr uint32_t kE5M2 = 7, kE8M0 = 15;
constexpr FloatFormat kFormats[] = {
    {5, 2, 15, Specials::Ieee},      {5, 2, 16, Specials::NegativeZeroNan}, {4, 3, 7, Specials::Ieee},
    {4, 3, 7, Specials::NanOnly},    {4, 3, 8, Specials::NegativeZeroNan},  {4, 3, 11, Specials::NegativeZeroNan},
    {3, 4, 3, Specials::Ieee},       {8, 10, 127, Specials::Ieee}, // TF32, which has more than 8 bits
    {8, 0, 127, Specials::NanOnly},                                // Float8E8M0FNU, which has no sign
    {3, 2, 3, Specials::FiniteOnly}, {2, 3, 1, Specials::FiniteOnly},       {2, 1, 1, Specials::FiniteOnly}};

const FloatFormat &formatOf(uint32_t kind) { return kFormats[std::min<size_t>(kind - kE5M2, std::size(kFormats) - 1)]; }

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

/// A power of two without sign, zero and infinity; all ones are NaN.
double widenE8M0(uint32_t bits) { return (bits & 0xff) == 0xff ? nan : std::ldexp(1.0, int(bits & 0xff) - 127); }

} // namespace

double widenFloat(uint32_t bits, uint32_t kind) {
  if (kind == kE8M0)
    return widenE8M0(bits);
  const FloatFormat &format = formatOf(kind);
  uint32_t magnitude = bits & format.magnitudeMask();
  bool isNegative = bits & format.signBit();
  if (format.specials == Specials::NegativeZeroNan && isNegative && magnitude == 0)
    return nan;
  if (magnitude > format.largest()) {
    bool isInfinite = format.specials == Specials::Ieee && magnitude == format.largest() + 1;
    return isInfinite ? (isNegative ? -infinity : infinity) : nan;
  }
  int exponent = int(magnitude >> format.mantissaBits);
  uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  if (exponent == 0)
    exponent = 1;
  else
    mantissa |= 1u << format.mantissaBits;
  double value = std::ldexp(double(mantissa), exponent - format.bias - format.mantissaBits);
  return isNegative ? -value : value;
}

/// The bits of NaN; of a format without one, some number.
static uint32_t nanOf(const FloatFormat &format) {
  switch (format.specials) {
  case Specials::Ieee:
    return format.largest() + 1 + (1u << (format.mantissaBits - 1));
  case Specials::NanOnly:
    return format.magnitudeMask();
  case Specials::NegativeZeroNan:
    return format.signBit();
  case Specials::FiniteOnly:
    return format.signBit();
  }
  return 0;
}

uint32_t narrowFloat(double from, uint32_t kind) {
  const FloatFormat &format = formatOf(kind);
  uint32_t sign = std::signbit(from) ? format.signBit() : 0;
  if (std::isnan(from))
    return nanOf(format) | (format.specials == Specials::Ieee || format.specials == Specials::NanOnly ? sign : 0);
  if (from == 0)
    return format.specials == Specials::NegativeZeroNan ? 0 : sign;
  // The magnitude in units of the last place that it has, rounded to even.
  int exponent = 0;
  std::frexp(from, &exponent);
  // A format without a zero has none of the numbers that are smaller than its exponents allow, either.
  int least = kind == kE8M0 ? -format.bias : 1 - format.bias;
  int unit = std::max(exponent - 1, least) - format.mantissaBits;
  double scaled = std::isinf(from) ? infinity : std::nearbyint(std::ldexp(std::abs(from), -unit));
  uint64_t magnitude = UINT64_MAX;
  if (std::isfinite(scaled) && exponent < 512) {
    int biased = unit + format.mantissaBits + format.bias;
    // A mantissa that rounding made too long carries into the exponent by itself.
    int64_t bits = (int64_t(biased - 1) << format.mantissaBits) + int64_t(scaled);
    magnitude = uint64_t(std::max<int64_t>(bits, 0));
  }
  if (magnitude <= format.largest())
    return magnitude == 0 && format.specials == Specials::NegativeZeroNan ? 0 : sign | uint32_t(magnitude);
  switch (format.specials) {
  case Specials::Ieee:
    return sign | (format.largest() + 1);
  case Specials::FiniteOnly: // as APFloat, which makes zeros of infinities
    return std::isinf(from) ? sign : sign | format.largest();
  case Specials::NanOnly:
    return nanOf(format) | sign;
  case Specials::NegativeZeroNan:
    return nanOf(format);
  }
  return 0;
}

/// As the ABIs of x86-64 and AArch64 hand out a bf16: in the low bits of a register for floats.
static float inLowBits(uint16_t bits) { return bitCast<float>(uint32_t(bits)); }

float truncateToBf16(float from) {
  uint32_t bits = bitCast<uint32_t>(from);
  if (std::isnan(from))
    return inLowBits(uint16_t(bits >> 16 | 0x40));
  return inLowBits(uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16));
}

/// Rounding twice would be wrong for ties, so that the first time is to odd (Boldo and Melquiond, "Emulation of FMA and
/// Correctly Rounded Sums", IEEE Trans. Comput. 57, 2008).
float truncateWideToBf16(double from) {
  float nearest = float(from);
  if (double(nearest) == from || !std::isfinite(nearest))
    return truncateToBf16(nearest);
  uint32_t bits = bitCast<uint32_t>(nearest);
  if (std::abs(double(nearest)) > std::abs(from))
    --bits;
  return truncateToBf16(bitCast<float>(bits | 1));
}

} // namespace fuselage

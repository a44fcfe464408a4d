// Floats of fewer bits than a float: rounding to them, and their bits.
#pragma once
#include "core/emulator/lanes/ElementForm.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>

namespace fuselage::emulator {

/// To the nearest bf16, ties to even.
inline float roundBf16(float number) {
  if (std::isnan(number))
    return number;
  auto bits = llvm::bit_cast<uint32_t>(number);
  return llvm::bit_cast<float>((bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000u);
}

/// To the nearest f16, ties to even.
inline float roundF16(float number) {
  float size = std::abs(number);
  if (!(size >= 0x1p-14f)) // subnormal there, or NaN: 0.75's last place is the smallest f16
    return std::isnan(number) ? number : std::copysign((size + 0.75f) - 0.75f, number);
  if (size >= 65520.0f)
    return std::copysign(INFINITY, number);
  auto bits = llvm::bit_cast<uint32_t>(number);
  return llvm::bit_cast<float>((bits + 0xfff + ((bits >> 13) & 1)) & ~0x1fffu);
}

/// A float that rounds to any narrower type as `number` does: the last bit is set where something was cut off.
inline float toFloatOdd(long double number) {
  float result = static_cast<float>(number);
  if (std::isnan(result) || static_cast<long double>(result) == number)
    return result;
  if (std::isinf(result))
    return std::isinf(number) ? result : std::copysign(3.4028234e38f, result);
  auto bits = llvm::bit_cast<uint32_t>(result);
  if (std::abs(static_cast<long double>(result)) > std::abs(number))
    --bits;
  return llvm::bit_cast<float>(bits | 1);
}

/// a * b + c of numbers of at most 16 bits, rounded once to odd, so that it may be rounded to their type.
inline float fmaOdd(float a, float b, float c) {
  double product = double(a) * b; // exact: 22 bits
  double sum = product + c;
  double cPart = sum - product, rest = (product - (sum - cPart)) + (double(c) - cPart);
  if (rest == 0 || !std::isfinite(sum))
    return toFloatOdd(sum);
  auto bits = llvm::bit_cast<uint64_t>(sum);
  if ((rest < 0) != (sum < 0))
    --bits;
  return toFloatOdd(llvm::bit_cast<double>(bits | 1));
}

float roundNarrow(float number, const llvm::fltSemantics &semantics);
uint32_t bitsOfNarrow(float number, const llvm::fltSemantics &semantics);
float fromNarrow(uint32_t bits, const llvm::fltSemantics &semantics);

inline uint16_t bitsOfBf16(float number) { return uint16_t(llvm::bit_cast<uint32_t>(roundBf16(number)) >> 16); }
inline float fromBf16(uint16_t bits) { return llvm::bit_cast<float>(uint32_t(bits) << 16); }

/// `number` is an f16.
inline uint16_t bitsOfF16(float number) {
  auto bits = llvm::bit_cast<uint32_t>(number);
  uint16_t sign = (bits >> 16) & 0x8000;
  float size = std::abs(number);
  if (std::isnan(number))
    return sign | 0x7e00;
  if (std::isinf(number))
    return sign | 0x7c00;
  if (size < 0x1p-14f)
    return sign | uint16_t(size * 0x1p24f);
  return sign | uint16_t(((bits & 0x7fffffff) - (112u << 23)) >> 13);
}

inline float fromF16(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16, exponent = (half >> 10) & 31, mantissa = half & 1023;
  if (exponent == 0)
    return (sign ? -0x1p-24f : 0x1p-24f) * float(mantissa);
  return llvm::bit_cast<float>(sign | (exponent == 31 ? 255u : exponent + 112) << 23 | mantissa << 13);
}

} // namespace fuselage::emulator

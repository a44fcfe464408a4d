#include "core/runtime/host/NarrowFloatFunctions.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace fuselage {

static const llvm::fltSemantics &semanticsOf(uint32_t kind) {
  return llvm::APFloat::EnumToSemantics(static_cast<llvm::APFloat::Semantics>(kind));
}

double widenFloat(uint32_t bits, uint32_t kind) {
  const llvm::fltSemantics &semantics = semanticsOf(kind);
  unsigned width = llvm::APFloat::semanticsSizeInBits(semantics);
  llvm::APFloat value(semantics, llvm::APInt(width, bits & ((1u << width) - 1)));
  bool inexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

uint32_t narrowFloat(double from, uint32_t kind) {
  llvm::APFloat value(from);
  bool inexact = false;
  value.convert(semanticsOf(kind), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.bitcastToAPInt().getZExtValue();
}

/// As the ABIs of x86-64 and AArch64 hand out a bf16: in the low bits of a register for floats.
static float inLowBits(uint16_t bits) { return llvm::bit_cast<float>(uint32_t(bits)); }

float truncateToBf16(float from) {
  uint32_t bits = llvm::bit_cast<uint32_t>(from);
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
  uint32_t bits = llvm::bit_cast<uint32_t>(nearest);
  if (std::abs(double(nearest)) > std::abs(from))
    --bits;
  return truncateToBf16(llvm::bit_cast<float>(bits | 1));
}

} // namespace fuselage

#include "core/emulator/lanes/NarrowFloat.h"

using llvm::APFloat;

namespace fuselage::emulator {

static APFloat toSemantics(float number, const llvm::fltSemantics &semantics) {
  APFloat value(number);
  bool isInexact = false;
  value.convert(semantics, APFloat::rmNearestTiesToEven, &isInexact);
  return value;
}

static float toFloat(APFloat value) {
  bool isInexact = false;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &isInexact);
  return value.convertToFloat();
}

float roundNarrow(float number, const llvm::fltSemantics &semantics) { return toFloat(toSemantics(number, semantics)); }

uint32_t bitsOfNarrow(float number, const llvm::fltSemantics &semantics) {
  return uint32_t(toSemantics(number, semantics).bitcastToAPInt().getZExtValue());
}

float fromNarrow(uint32_t bits, const llvm::fltSemantics &semantics) {
  unsigned width = APFloat::getSizeInBits(semantics);
  return toFloat(APFloat(semantics, llvm::APInt(width, bits, false, /*implicitTrunc=*/true)));
}

} // namespace fuselage::emulator

// Floats of 8 bits and fewer against LLVM's, which compiled code must agree with.
#include "core/runtime/host/NarrowFloatFunctions.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace fuselage;
using llvm::APFloat;

namespace {

constexpr uint32_t kinds[] = {APFloat::S_Float8E5M2,   APFloat::S_Float8E5M2FNUZ, APFloat::S_Float8E4M3,
                              APFloat::S_Float8E4M3FN, APFloat::S_Float8E4M3FNUZ, APFloat::S_Float8E4M3B11FNUZ,
                              APFloat::S_Float8E3M4,   APFloat::S_Float8E8M0FNU,  APFloat::S_Float6E3M2FN,
                              APFloat::S_Float6E2M3FN, APFloat::S_Float4E2M1FN};

const llvm::fltSemantics &semanticsOf(uint32_t kind) {
  return APFloat::EnumToSemantics(static_cast<APFloat::Semantics>(kind));
}

TEST(NarrowFloats, EveryNumberIsWidenedAsByLlvm) {
  for (uint32_t kind : kinds) {
    unsigned width = APFloat::semanticsSizeInBits(semanticsOf(kind));
    for (uint32_t bits = 0; bits < 1u << width; ++bits) {
      APFloat value(semanticsOf(kind), llvm::APInt(width, bits));
      double widened = widenFloat(bits, kind);
      if (value.isNaN()) {
        EXPECT_TRUE(std::isnan(widened)) << kind << " " << bits;
        continue;
      }
      bool isInexact = false;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isInexact);
      EXPECT_EQ(widened, value.convertToDouble()) << kind << " " << bits;
      EXPECT_EQ(std::signbit(widened), value.isNegative()) << kind << " " << bits;
    }
  }
}

TEST(NarrowFloats, NumbersAreNarrowedAsByLlvm) {
  std::mt19937_64 random(1);
  for (uint32_t kind : kinds) {
    bool hasSign = kind != APFloat::S_Float8E8M0FNU;
    bool hasNan = kind < APFloat::S_Float6E3M2FN;
    auto check = [&](double number) {
      APFloat value(number);
      bool isInexact = false;
      value.convert(semanticsOf(kind), APFloat::rmNearestTiesToEven, &isInexact);
      EXPECT_EQ(narrowFloat(number, kind), value.bitcastToAPInt().getZExtValue()) << kind << " " << number;
    };
    for (int i = 0; i < 20000; ++i) {
      double mantissa = double(random() % 4096 + 1);
      double number = std::ldexp(mantissa, int(hasSign ? random() % 40 : random() % 300) - (hasSign ? 30 : 160));
      check(number);
      if (hasSign)
        check(-number);
    }
    for (double number : {1e300, 1e-300, 5e-324, HUGE_VAL})
      for (double sign : {1.0, hasSign ? -1.0 : 1.0})
        check(sign * number);
    if (hasSign) {
      check(0.0);
      check(-0.0);
    }
    if (hasNan)
      check(std::nan(""));
  }
}

} // namespace

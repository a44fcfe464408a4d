// Measured numbers in JSON, which knows no infinity.
#pragma once
#include "llvm/Support/JSON.h"
#include <cmath>

namespace fuselage {

/// A number that is not finite is the text "nan", "inf" or "-inf"; null is left for what nobody knows.
inline llvm::json::Value jsonNumber(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  return value;
}

} // namespace fuselage

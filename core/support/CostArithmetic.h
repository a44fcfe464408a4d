// Sums and products of costs, where -1 is "unknown" and an overflow is unknown too.
#pragma once
#include "llvm/Support/MathExtras.h"
#include <cstdint>

namespace fuselage {

/// a * b; nothing times unknown is nothing.
inline int64_t times(int64_t a, int64_t b) {
  if (a == 0 || b == 0)
    return 0;
  int64_t product;
  return a < 0 || b < 0 || llvm::MulOverflow(a, b, product) ? -1 : product;
}

inline int64_t plus(int64_t a, int64_t b) {
  int64_t sum;
  return a < 0 || b < 0 || llvm::AddOverflow(a, b, sum) ? -1 : sum;
}

} // namespace fuselage

#include "core/tuning/dispatch/Sizes.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

namespace fuselage::tune {

Domain sizesFor(int64_t range, int64_t most, bool onlyDivisors, llvm::function_ref<int64_t(int64_t size)> kept) {
  std::vector<int64_t> sizes = {0};
  for (int64_t size = 1; size <= std::min(range, most); ++size) {
    bool isRound = llvm::isPowerOf2_64(size) || (size % 3 == 0 && llvm::isPowerOf2_64(size / 3));
    if (range % size == 0 || (isRound && !onlyDivisors))
      sizes.push_back(kept ? kept(size) : size);
  }
  return Domain::of(std::move(sizes));
}

double log2Of(double value) { return std::log2(std::max(value, 1e-9)); }

double waste(int64_t range, int64_t size) {
  return static_cast<double>(llvm::divideCeil(range, size) * size) / static_cast<double>(range);
}

double waveWaste(double parts, int64_t workers) {
  double rounds = parts / static_cast<double>(std::max<int64_t>(workers, 1));
  return std::ceil(rounds) / std::max(rounds, 1e-9);
}

} // namespace fuselage::tune

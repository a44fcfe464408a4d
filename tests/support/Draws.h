// How often a property is tested on random input, and with which.
#pragma once
#include <cstdlib>
#include <random>

namespace fuselage::test {

/// The number of draws of a property test: the usual one, times FUSELAGE_TEST_DRAWS where that is set.
inline unsigned draws(unsigned usual) {
  const char *factor = std::getenv("FUSELAGE_TEST_DRAWS");
  return factor ? usual * static_cast<unsigned>(std::atoi(factor)) : usual;
}

/// The random numbers of one draw. Tests that draw the same thing differ by their `stream`.
inline std::mt19937 randomOf(unsigned draw, unsigned stream) {
  std::seed_seq seed{draw, stream};
  return std::mt19937(seed);
}

} // namespace fuselage::test

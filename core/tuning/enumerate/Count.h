// Counts the points of a space.
#pragma once
#include "core/tuning/enumerate/LoopNest.h"
#include "core/tuning/space/Space.h"

namespace fuselage::tune {

struct PointCount {
  double points = 0;
  bool isExact = true;
  /// The standard error of an estimate; 0 if the count is exact.
  double error = 0;
  /// No point was found in a part of the space; there may be none.
  bool isUnknown = false;

  /// "1,200", "about 3.1e+12 (+- 4 %)", "unknown".
  std::string text() const;
};

struct CountOptions {
  uint64_t exactUpTo = 10'000'000; ///< larger counts are estimated
  uint64_t steps = 50'000'000;     ///< largest number of values to try for an exact count
  unsigned probes = 20'000;        ///< random descents of an estimate
  uint64_t seed = 1;
};

/// Counts exactly within the limits of `options`, group by group (their counts multiply). Beyond them, uses Knuth's
/// estimate of a tree's size ("Estimating the Efficiency of Backtrack Programs", 1975): the mean over random descents
/// of the product of the numbers of children on the way.
PointCount countPoints(const Space &space, const LoopNest &nest, const CountOptions &options = {});

} // namespace fuselage::tune

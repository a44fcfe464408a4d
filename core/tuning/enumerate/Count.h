// How many points a space has.
#pragma once
#include "core/tuning/enumerate/LoopNest.h"
#include "core/tuning/space/Space.h"

namespace fuselage::tune {

struct PointCount {
  double points = 0;
  bool isExact = true;
  /// Of an estimate: the standard error of the mean of its probes; 0 where it is exact.
  double error = 0;
  /// No point was found, and not all were looked at: there may be none.
  bool isUnknown = false;

  /// "1,200", "about 3.1e+12 (+- 4 %)", "unknown".
  std::string text() const;
};

struct CountOptions {
  uint64_t exactUpTo = 10'000'000; ///< points that are counted one by one
  uint64_t steps = 50'000'000;     ///< values tried at most before it becomes an estimate
  unsigned probes = 20'000;        ///< of an estimate
  uint64_t seed = 1;
};

/// Exact where that takes no longer than `options` allows, group by group (their counts multiply). Else Knuth's
/// estimate of a tree's size ("Estimating the Efficiency of Backtrack Programs", 1975): the mean over random descents
/// of the product of the numbers of children on the way.
PointCount countPoints(const Space &space, const LoopNest &nest, const CountOptions &options = {});

} // namespace fuselage::tune

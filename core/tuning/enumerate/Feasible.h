// What may be chosen, knob by knob, so that nothing infeasible is: for whoever moves through a
// space by hand.
#pragma once
#include "core/tuning/space/Space.h"

namespace fuselage::tune {

/// By knob, ascending.
struct FeasibleValues {
  std::vector<std::vector<int64_t>> byKnob;
  /// False: there may be more, as not all points were looked at.
  bool isComplete = true;
};

/// The values that knobs have in some point. All of them where that takes looking at no more than
/// `steps` values; else those that were found by then, and those of a spread over each domain for
/// which a point was found.
FeasibleValues feasibleValues(const Space &space, uint64_t steps = 2'000'000);

/// The space with `value` as the only one of a knob.
Space restricted(const Space &space, unsigned knob, int64_t value);

/// The point nearest to `wanted`, which need not be one, with `wanted[kept]` for the knob `kept`,
/// if one is to stay: few others are different (one, two, or as many as it takes), and these by as
/// few places in their domains as possible. nullopt: there is none with that value, or none was
/// found by looking at `steps` values.
std::optional<Point> nearestPoint(const Space &space, const Point &wanted, std::optional<unsigned> kept = {},
                                  uint64_t steps = 2'000'000);

} // namespace fuselage::tune

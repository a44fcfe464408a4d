// The values that knobs can have in a point of a space, for choosing one by hand.
#pragma once
#include "core/tuning/space/Space.h"

namespace fuselage::tune {

struct FeasibleValues {
  std::vector<std::vector<int64_t>> byKnob; ///< ascending
  /// False if there may be more values, because not all points were tried.
  bool isComplete = true;
};

/// The values that each knob has in some point. If finding all of them takes more than `steps` tries, returns those
/// found so far, and those of a sample of each domain for which a point was found.
FeasibleValues feasibleValues(const Space &space, uint64_t steps = 2'000'000);

/// The space with the domain of one knob reduced to `value`.
Space restricted(const Space &space, unsigned knob, int64_t value);

/// The point nearest to `wanted`, which need not be in the space: as few knobs as possible differ, and these by as few
/// places in their domains as possible. If `kept` is given, that knob keeps its value. Returns nullopt if there is no
/// such point, or trying `steps` values found none.
std::optional<Point> nearestPoint(const Space &space, const Point &wanted, std::optional<unsigned> kept = {},
                                  uint64_t steps = 2'000'000);

} // namespace fuselage::tune

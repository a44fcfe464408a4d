// Explains why a space has no point.
#pragma once
#include "core/tuning/space/Space.h"

namespace fuselage::tune {

struct Clash {
  std::vector<unsigned> conditions{};  ///< of the space: no point meets all; leave out any one, and some point does
  std::optional<unsigned> emptyKnob{}; ///< a knob with an empty domain
  /// Some of `conditions` may be unnecessary; finding out would have taken too long.
  bool mayBeSmaller = false;

  /// A sentence: "no point: rows * columns <= 64 (the device) and rows >= 16 (the schedule) do not go together".
  std::string text(const Space &space) const;
};

/// Finds a minimal set of conditions that no point meets, by leaving out one after the other (deletion-based extraction
/// of a minimal unsatisfiable set). Returns nullopt if there is a point, or if trying `steps` values did not decide it.
std::optional<Clash> findClash(const Space &space, uint64_t steps = 20'000'000);

} // namespace fuselage::tune

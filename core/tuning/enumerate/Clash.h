// Why a space has no point.
#pragma once
#include "core/tuning/space/Space.h"

namespace fuselage::tune {

struct Clash {
  std::vector<unsigned> conditions{}; ///< of the space: all of these together leave no point, any of them left out does
  std::optional<unsigned> emptyKnob{}; ///< takes no value by itself
  /// Some of `conditions` may be superfluous: to know it would have taken too long.
  bool mayBeSmaller = false;

  /// A sentence: "no point: rows * columns <= 64 (the device) and rows >= 16 (the schedule) do not go together".
  std::string text(const Space &space) const;
};

/// A minimal set of conditions that clash, by leaving out one after the other (deletion-based extraction of a minimal
/// unsatisfiable set). nullopt: there is a point, or `steps` values were tried and it is not known.
std::optional<Clash> findClash(const Space &space, uint64_t steps = 20'000'000);

} // namespace fuselage::tune

// What comparing a result with its reference gave.
#pragma once
#include "core/protocol/Run.h"
#include <cstdint>
#include <string>

namespace fuselage {

/// Values that are not numbers, and yet are what somebody wants: in the same places as in the reference they agree, and
/// do not make a result incomparable.
struct IntendedValues {
  bool infinities = false; ///< the program itself writes them (a mask), or as below
  bool nans = false;       ///< all inputs were given, so that they follow from these
};

/// Which errors count as none: |actual - expected| <= absolute + relative * |expected|.
struct Tolerance {
  double absolute = 0, relative = 0;
  double typical = 0; ///< the root of the mean square of the expected elements, as far as they are finite
};

using CheckVerdict = message::RunVerdict;

/// Elements that are NaN or infinite, and those where the two sides differ in that.
struct NonfiniteCounts {
  int64_t actual = 0, expected = 0, differ = 0;
};

struct Comparison {
  double maxAbsError = 0; ///< infinite where one side is NaN or infinite and the other is not
  /// max |a-b| / |b| over elements of at least the typical size; of integers all but 0.
  double maxRelError = 0;
  Tolerance tolerance{};
  int64_t elements = 0;
  NonfiniteCounts nonfinite{};
  int64_t wrong = 0;  ///< elements beyond the tolerance
  int64_t sized = 0;  ///< floats, finite on both sides, that should not be 0
  int64_t loose = 0;  ///< those of them that are no larger than their tolerance
  int64_t worst = -1; ///< the element furthest beyond its tolerance or nearest to it; -1: all are equal
  CheckVerdict verdict = CheckVerdict::Unchecked;
  std::string why{}; ///< a sentence where the verdict is not Ok

  bool ok() const { return verdict == CheckVerdict::Ok; }
};

} // namespace fuselage

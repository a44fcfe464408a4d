// Counts how far elements are from what was expected, and judges. Shared by runs and fuselage-launch; no MLIR.
#pragma once
#include "core/run/values/Comparison.h"

namespace fuselage {

/// Gathers the elements of one comparison, whose tolerance is set.
class ComparisonGatherer {
public:
  explicit ComparisonGatherer(Comparison &result) : result_(result) {}

  void addFloats(int64_t index, double actual, double expected);
  /// Elements that differ, by how much, and how large the expected one is.
  void addDifferentIntegers(int64_t index, double difference, double size);
  /// Sets the verdict, with the sentence that goes with it.
  void judge(bool isFloat, IntendedValues intended);

private:
  /// `excess`: the error by what is allowed.
  void add(int64_t index, double difference, double relative, double excess);

  Comparison &result_;
  int64_t nan_ = 0;
  double worstExcess_ = 0, worstDifference_ = 0;
};

/// Whether the tolerance lets so many elements be 0, or twice as large, that agreeing shows nothing.
bool showsNothing(const Comparison &result);

/// The worse of two comparisons of results of one dispatch.
const Comparison &worseOf(const Comparison &a, const Comparison &b);

/// The comparison as clients see it.
void addCheck(message::Comparison<> &message, const Comparison &check);

} // namespace fuselage

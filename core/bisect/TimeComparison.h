// Whether one program is slower than another, from times that are noisy.
#pragma once
#include "core/support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace fuselage {

enum class TimeVerdict {
  NotSlower, ///< by less than the factor
  Slower,
  CannotTell, ///< the noise is larger than what is looked for
};

struct TimeComparisonOptions {
  double factor = 1.1;                        ///< how much slower counts
  unsigned leastRounds = 20, mostRounds = 60; ///< of a sample of either
};

struct TimeComparison {
  TimeVerdict verdict = TimeVerdict::CannotTell;
  double before = 0, after = 0; ///< medians of the samples, in microseconds
  double ratio = 0;             ///< the median of that of each round
  double low = 0, high = 0;     ///< its 95 % confidence interval, by bootstrap
  unsigned rounds = 0;
};

/// "takes 1.52 times as long (95 % CI 1.47 to 1.56, 10 rounds by turns)".
std::string describe(const TimeComparison &comparison);

/// Samples both by turns, and by turns first, so that a drift of the machine is no difference. Slower: by a sign test
/// of the ratios of the rounds, which a few disturbed ones do not decide, their median is above the factor with p <
/// 0.0001; not slower: below it with p < 0.01. Else there are more rounds, up to the most.
llvm::Expected<TimeComparison> compareTimes(const std::function<llvm::Expected<double>()> &before,
                                            const std::function<llvm::Expected<double>()> &after,
                                            const TimeComparisonOptions &options = {});

} // namespace fuselage

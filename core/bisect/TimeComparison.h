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
  double factor = 1.1;                       ///< how much slower counts
  unsigned leastRounds = 10, mostRounds = 40; ///< of one sample of either
};

struct TimeComparison {
  TimeVerdict verdict = TimeVerdict::CannotTell;
  double before = 0, after = 0; ///< medians of the samples, in microseconds
  double low = 0, high = 0;     ///< 95 % confidence interval of their ratio, by bootstrap
  unsigned rounds = 0;
};

/// "takes 1.52 times as long (95 % CI 1.47 to 1.56, 10 rounds by turns)".
std::string describe(const TimeComparison &comparison);

/// Samples both by turns, and by turns first, so that a drift of the machine is no difference. Slower: a one-sided rank
/// test (Mann-Whitney) of the samples after against those before times the factor has p < 0.0001; not slower: the same
/// the other way round with p < 0.01. Else there are more rounds, up to the most.
llvm::Expected<TimeComparison> compareTimes(const std::function<llvm::Expected<double>()> &before,
                                            const std::function<llvm::Expected<double>()> &after,
                                            const TimeComparisonOptions &options = {});

} // namespace fuselage

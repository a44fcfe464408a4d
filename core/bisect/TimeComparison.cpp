#include "core/bisect/TimeComparison.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <random>

namespace fuselage {
namespace {

using Samples = std::vector<double>;

double medianOf(Samples samples) {
  const size_t middle = samples.size() / 2;
  std::nth_element(samples.begin(), samples.begin() + middle, samples.end());
  return samples[middle];
}

/// How many standard deviations the ranks of `larger` are above those that chance gives, where `smaller` is multiplied
/// by `factor`. Ties count half.
double rankScore(const Samples &larger, const Samples &smaller, double factor) {
  double wins = 0;
  for (double one : larger)
    for (double other : smaller)
      wins += one > other * factor ? 1 : one == other * factor ? 0.5 : 0;
  const double n = double(larger.size()), m = double(smaller.size());
  return (wins - n * m / 2) / std::sqrt(n * m * (n + m + 1) / 12);
}

TimeVerdict judge(const Samples &before, const Samples &after, double factor) {
  constexpr double surely = 3.72, likely = 2.33; // p of 0.0001 and 0.01
  if (rankScore(after, before, factor) > surely)
    return TimeVerdict::Slower;
  return rankScore(before, after, 1 / factor) > likely ? TimeVerdict::NotSlower : TimeVerdict::CannotTell;
}

/// The interval of ratios of medians of samples that are drawn from these.
void findInterval(const Samples &before, const Samples &after, TimeComparison &comparison) {
  constexpr unsigned draws = 1000;
  std::mt19937 random(1); // the same samples give the same interval
  auto drawn = [&](const Samples &from) {
    Samples samples;
    for (size_t i = 0; i < from.size(); ++i)
      samples.push_back(from[random() % from.size()]);
    return medianOf(std::move(samples));
  };
  Samples ratios;
  for (unsigned i = 0; i < draws; ++i) {
    const double above = drawn(after);
    ratios.push_back(above / drawn(before));
  }
  llvm::sort(ratios);
  comparison.low = ratios[draws * 25 / 1000];
  comparison.high = ratios[draws * 975 / 1000];
}

} // namespace

std::string describe(const TimeComparison &comparison) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "takes " << llvm::format("%.3g", comparison.after / comparison.before) << " times as long (95 % CI "
     << llvm::format("%.3g", comparison.low) << " to " << llvm::format("%.3g", comparison.high) << ", "
     << comparison.rounds << " rounds by turns)";
  return text;
}

llvm::Expected<TimeComparison> compareTimes(const std::function<llvm::Expected<double>()> &before,
                                            const std::function<llvm::Expected<double>()> &after,
                                            const TimeComparisonOptions &options) {
  Samples earlier, later;
  TimeComparison comparison;
  while (comparison.verdict == TimeVerdict::CannotTell && comparison.rounds < options.mostRounds) {
    const unsigned more = comparison.rounds == 0 ? options.leastRounds : options.leastRounds / 2;
    for (unsigned end = comparison.rounds + more; comparison.rounds < end; ++comparison.rounds)
      for (bool isFirst : {true, false}) {
        const bool isBefore = (comparison.rounds % 2 == 0) == isFirst;
        auto time = isBefore ? before() : after();
        if (!time)
          return time.takeError();
        (isBefore ? earlier : later).push_back(*time);
      }
    comparison.verdict = judge(earlier, later, options.factor);
  }
  comparison.before = medianOf(earlier);
  comparison.after = medianOf(later);
  findInterval(earlier, later, comparison);
  return comparison;
}

} // namespace fuselage

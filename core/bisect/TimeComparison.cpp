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

TimeVerdict judge(const Samples &before, const Samples &after, double factor) {
  double above = 0;
  for (auto [one, other] : llvm::zip_equal(before, after))
    above += other > one * factor ? 1 : other == one * factor ? 0.5 : 0;
  const double rounds = double(before.size());
  // In standard deviations above what chance gives.
  const double score = (above - rounds / 2) / std::sqrt(rounds / 4);
  constexpr double surely = 3.72, likely = 2.33; // p of 0.0001 and 0.01
  if (score > surely)
    return TimeVerdict::Slower;
  return score < -likely ? TimeVerdict::NotSlower : TimeVerdict::CannotTell;
}

double ratioOf(const Samples &before, const Samples &after) {
  Samples ratios;
  for (auto [one, other] : llvm::zip_equal(before, after))
    ratios.push_back(other / one);
  return medianOf(std::move(ratios));
}

/// The interval of the median of ratios that are drawn from those of the rounds.
void findInterval(const Samples &before, const Samples &after, TimeComparison &comparison) {
  constexpr unsigned draws = 400;
  std::mt19937 random(1); // the same samples give the same interval
  Samples medians;
  for (unsigned i = 0; i < draws; ++i) {
    Samples one, other;
    for (size_t k = 0; k < before.size(); ++k) {
      const size_t round = random() % before.size();
      one.push_back(before[round]);
      other.push_back(after[round]);
    }
    medians.push_back(ratioOf(one, other));
  }
  llvm::sort(medians);
  comparison.low = medians[draws / 40];
  comparison.high = medians[draws - draws / 40];
}

} // namespace

std::string describe(const TimeComparison &comparison) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "takes " << llvm::format("%.3g", comparison.ratio) << " times as long (95 % CI "
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
  comparison.ratio = ratioOf(earlier, later);
  findInterval(earlier, later, comparison);
  return comparison;
}

} // namespace fuselage

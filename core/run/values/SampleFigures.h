// Figures over the samples of repeated launches.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace fuselage {

/// So many samples are kept of a kernel; where there are more, every second, every third and so on.
inline constexpr size_t kKeptSamples = 1000;

/// The middle one, or the mean of both; -1: there are none.
inline double medianOf(std::vector<double> samples) {
  if (samples.empty())
    return -1;
  std::sort(samples.begin(), samples.end());
  size_t count = samples.size();
  return count % 2 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
}

/// What 95 % of them do not exceed, by nearest rank, of at least one that are sorted.
inline double p95Of(const std::vector<double> &sorted) {
  return sorted[static_cast<size_t>(std::ceil(0.95 * double(sorted.size()))) - 1];
}

/// Those that are kept.
inline std::vector<double> keptSamples(const std::vector<double> &samples) {
  std::vector<double> kept;
  size_t step = std::max<size_t>((samples.size() + kKeptSamples - 1) / kKeptSamples, 1);
  for (size_t i = 0; i < samples.size(); i += step)
    kept.push_back(samples[i]);
  return kept;
}

} // namespace fuselage

// Repetitions in a sequence of numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fuselage {

/// `length` numbers from `start` on of which each equals the one `period` before it (the first
/// `period` excepted). Maximal: neither longer to either side, nor of a smaller period.
struct PeriodicRun {
  size_t start = 0, period = 0, length = 0;
  bool operator==(const PeriodicRun &) const = default;
};

/// All runs that hold their period at least three times, by start, then period. O(n log n): for every
/// window length 2^k, hashes of all windows say where the same window stood last; a run of a period in
/// (2^(k-1), 2^k] shows as that distance, and is then measured by comparing the numbers themselves.
/// (In a run of smallest period p, a window of at least p numbers recurs after p and not earlier: by
/// Fine and Wilf, 1965.)
std::vector<PeriodicRun> findPeriodicRuns(const std::vector<uint32_t> &numbers);

} // namespace fuselage

#include "core/ir/layers/PeriodicRuns.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <tuple>

namespace fuselage {
namespace {

/// Spreads a number over 64 bits (the finalizer of SplitMix64).
uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Where a hash was seen last: open addressing, emptied by counting up the generation.
class LastSeen {
public:
  explicit LastSeen(size_t most) : slots_(llvm::bit_ceil(2 * most + 2)) {}
  void clear() { ++generation_; }
  /// The place noted before under this hash, or `none`; notes `place`.
  size_t exchange(uint64_t hash, size_t place) {
    for (size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot &slot = slots_[at];
      if (slot.generation != generation_) {
        slot = {hash, place, generation_};
        return none;
      }
      if (slot.hash == hash)
        return std::exchange(slot.place, place);
    }
  }
  static constexpr size_t none = SIZE_MAX;

private:
  struct Slot {
    uint64_t hash = 0;
    size_t place = 0;
    uint32_t generation = 0;
  };
  std::vector<Slot> slots_;
  uint32_t generation_ = 0;
};

/// The whole run of a period around `at`, where `at` and `at - period` are alike.
PeriodicRun measure(const std::vector<uint32_t> &numbers, size_t at, size_t period) {
  size_t begin = at, end = at;
  while (end < numbers.size() && numbers[end] == numbers[end - period])
    ++end;
  while (begin > period && numbers[begin - 1] == numbers[begin - 1 - period])
    --begin;
  return {begin - period, period, end - begin + period};
}

} // namespace

std::vector<PeriodicRun> findPeriodicRuns(const std::vector<uint32_t> &numbers) {
  constexpr uint64_t base = 0x9fb21c651e98df25; // odd
  const size_t size = numbers.size();
  std::vector<PeriodicRun> runs;
  // A hash that lies costs a measurement; this bounds them for good.
  size_t budget = 64 * (size + 64);
  std::vector<uint64_t> prefix(size + 1, 0);
  for (size_t i = 0; i < size; ++i)
    prefix[i + 1] = prefix[i] * base + mixed(numbers[i]);
  LastSeen lastSeen(size);
  uint64_t power = base; // base ^ window
  for (size_t window = 1; window / 2 * 3 < size; window *= 2, power *= power) {
    lastSeen.clear();
    size_t measuredPeriod = 0, measuredEnd = 0;
    for (size_t i = 0; i + window <= size; ++i) {
      size_t before = lastSeen.exchange(mixed(prefix[i + window] - prefix[i] * power), i);
      if (before == LastSeen::none)
        continue;
      size_t period = i - before;
      if (period > window || period <= window / 2 || (period == measuredPeriod && i < measuredEnd))
        continue;
      PeriodicRun run = measure(numbers, i, period);
      measuredPeriod = period;
      measuredEnd = std::max(run.start + run.length, i + 1);
      if (run.length >= 3 * period)
        runs.push_back(run);
      if (budget < run.length)
        break;
      budget -= run.length;
    }
  }
  auto key = [](const PeriodicRun &run) { return std::tuple(run.start, run.period, run.length); };
  std::sort(runs.begin(), runs.end(), [&](const auto &a, const auto &b) { return key(a) < key(b); });
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

} // namespace fuselage

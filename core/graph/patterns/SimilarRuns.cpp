#include "core/graph/patterns/SimilarRuns.h"
#include <algorithm>
#include <map>
#include <utility>

namespace fuselage {

/// The distance from the one place to the other of most numbers that are there twice.
static size_t commonDistance(const std::vector<uint32_t> &numbers) {
  struct Seen {
    size_t count = 0, first = 0, last = 0;
  };
  std::map<uint32_t, Seen> seen;
  for (size_t at = 0; at < numbers.size(); ++at) {
    Seen &places = seen[numbers[at]];
    if (++places.count == 1)
      places.first = at;
    places.last = at;
  }
  std::map<size_t, size_t> votes;
  for (const auto &[number, places] : seen)
    if (places.count == 2)
      ++votes[places.last - places.first];
  auto most =
      std::max_element(votes.begin(), votes.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
  return most == votes.end() ? 0 : most->first;
}

PeriodicRun findPair(const std::vector<uint32_t> &numbers) {
  constexpr size_t leastPeriod = 24;
  size_t period = commonDistance(numbers);
  if (period < leastPeriod || 4 * period < numbers.size())
    return {};
  PeriodicRun longest;
  size_t begin = 0;
  for (size_t at = 0; at + period <= numbers.size(); ++at) {
    if (at + period < numbers.size() && numbers[at] == numbers[at + period])
      continue;
    if (at > begin && at - begin + period > longest.length)
      longest = {begin, period, at - begin + period};
    begin = at + 1;
  }
  return longest;
}

SimilarRun findSimilar(llvm::ArrayRef<uint32_t> word, llvm::ArrayRef<uint32_t> rest,
                       llvm::function_ref<bool(size_t)> mayEnd) {
  constexpr size_t longest = 1500; // what is compared takes time with its square
  const size_t allowed = word.size() / 4;
  if (word.size() > longest || rest.size() + allowed < word.size())
    return {};
  rest = rest.take_front(word.size() + allowed);
  if (std::search(rest.begin(), rest.end(), word.begin(), word.end()) != rest.end())
    return {};
  std::vector<size_t> costs(rest.size() + 1); // to make the first j of the rest of the first i of the word
  for (size_t j = 0; j <= rest.size(); ++j)
    costs[j] = j;
  for (size_t i = 1; i <= word.size(); ++i) {
    size_t diagonal = std::exchange(costs[0], i);
    for (size_t j = 1; j <= rest.size(); ++j) {
      size_t changed = diagonal + (word[i - 1] != rest[j - 1]);
      diagonal = costs[j];
      costs[j] = std::min({changed, costs[j] + 1, costs[j - 1] + 1});
    }
  }
  size_t best = 0;
  for (size_t j = 1; j <= rest.size(); ++j)
    if (costs[j] <= allowed && mayEnd(j) && (best == 0 || costs[j] < costs[best]))
      best = j;
  return {.length = best, .changes = best == 0 ? 0 : costs[best]};
}

} // namespace fuselage

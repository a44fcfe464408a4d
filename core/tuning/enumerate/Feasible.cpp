#include "core/tuning/enumerate/Feasible.h"
#include "core/tuning/enumerate/Enumerate.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace fuselage::tune {
namespace {

/// Collects the values of knobs, group by group: those of different groups go with each other
/// anyhow.
class ValueCollector {
public:
  ValueCollector(const Space &space, uint64_t steps) : space_(space), left_(steps), seen_(space.knobs.size()) {}

  FeasibleValues collect() {
    LoopNest nest = planLoops(space_);
    llvm::ArrayRef<Level> levels = nest.levels;
    for (size_t first = 0, last = 0; !nest.isEmpty && first < levels.size(); first = last) {
      while (last < levels.size() && levels[last].group == levels[first].group)
        ++last;
      if (!walk(levels.slice(first, last - first))) // of one without points, the space has none
        return {.byKnob = std::vector<std::vector<int64_t>>(space_.knobs.size())};
    }
    FeasibleValues values;
    values.isComplete = isComplete_;
    for (const std::set<int64_t> &seen : seen_)
      values.byKnob.emplace_back(seen.begin(), seen.end());
    return values;
  }

private:
  /// False: there is no point.
  bool walk(llvm::ArrayRef<Level> levels) {
    uint64_t share = std::max<uint64_t>(1, left_ / 2), budget = share;
    bool found = false;
    for (Walk walk(space_, levels, &budget); walk.next(); found = true)
      for (const Level &level : levels)
        seen_[level.knob].insert(walk.point()[level.knob]);
    left_ -= share - budget;
    if (budget > 0)
      return found;
    isComplete_ = false;
    for (const Level &level : levels)
      spread(level.knob);
    return true;
  }

  /// Tries values all over the domain.
  void spread(unsigned knob) {
    constexpr uint64_t most = 64, stepsEach = 20'000;
    const Domain &domain = space_.knobs[knob].domain;
    uint64_t many = std::min(domain.size(), most);
    std::mt19937_64 random(1);
    for (uint64_t i = 0; i < many; ++i) {
      int64_t value = domain.at(i * (domain.size() - 1) / std::max<uint64_t>(1, many - 1));
      if (seen_[knob].count(value))
        continue;
      Space part = restricted(space_, knob, value);
      if (auto point = randomPoint(part, planLoops(part), random, stepsEach))
        for (auto [seen, each] : llvm::zip_equal(seen_, *point))
          seen.insert(each);
    }
  }

  const Space &space_;
  uint64_t left_;
  bool isComplete_ = true;
  std::vector<std::set<int64_t>> seen_;
};

/// How many places of its domain a value is from another one; of what has no order, 1.
uint64_t distance(const Knob &knob, int64_t from, int64_t to) {
  if (from == to)
    return 0;
  if (!knob.labels.empty() || knob.isRegion)
    return 1;
  uint64_t a = knob.domain.lowerBound(from), b = knob.domain.lowerBound(to);
  return std::max<uint64_t>(1, a > b ? a - b : b - a);
}

/// The nearest point in which only `free` knobs differ from `wanted`.
std::optional<Point> nearestAmong(const Space &space, const Point &wanted, llvm::ArrayRef<unsigned> free,
                                  uint64_t &steps) {
  Space part = space;
  for (auto [number, knob] : llvm::enumerate(part.knobs))
    if (!llvm::is_contained(free, number))
      knob.domain = knob.domain.contains(wanted[number]) ? Domain::of({wanted[number]}) : Domain();
  LoopNest nest = planLoops(part);
  std::optional<Point> best;
  uint64_t least = UINT64_MAX;
  if (nest.isEmpty)
    return best;
  for (Walk walk(part, nest.levels, &steps); walk.next();) {
    uint64_t sum = 0;
    for (unsigned knob : free)
      sum += distance(space.knobs[knob], wanted[knob], walk.point()[knob]);
    if (sum < least) {
      least = sum;
      best = walk.point();
    }
  }
  return best;
}

} // namespace

FeasibleValues feasibleValues(const Space &space, uint64_t steps) { return ValueCollector(space, steps).collect(); }

Space restricted(const Space &space, unsigned knob, int64_t value) {
  Space part = space;
  part.knobs[knob].domain = part.knobs[knob].domain.contains(value) ? Domain::of({value}) : Domain();
  return part;
}

std::optional<Point> nearestPoint(const Space &space, const Point &wanted, std::optional<unsigned> kept,
                                  uint64_t steps) {
  if (space.contains(wanted))
    return wanted;
  std::vector<unsigned> others;
  for (unsigned knob = 0; knob < space.knobs.size(); ++knob)
    if (knob != kept && space.knobs[knob].domain.size() > 1)
      others.push_back(knob);
  // One other, or two, in all ways; then as many as it takes.
  constexpr size_t mostPairs = 16;
  std::vector<std::vector<unsigned>> ways;
  for (unsigned one : others)
    ways.push_back({one});
  size_t ones = ways.size();
  for (size_t i = 0; others.size() <= mostPairs && i < others.size(); ++i)
    for (size_t j = i + 1; j < others.size(); ++j)
      ways.push_back({others[i], others[j]});
  std::optional<Point> best;
  uint64_t least = UINT64_MAX;
  for (auto [way, free] : llvm::enumerate(ways)) {
    if (best && way == ones)
      return best;
    auto found = nearestAmong(space, wanted, free, steps);
    uint64_t sum = 0;
    for (unsigned knob : free)
      sum += found ? distance(space.knobs[knob], wanted[knob], (*found)[knob]) : 0;
    if (found && sum < least) {
      least = sum;
      best = found;
    }
  }
  if (best)
    return best;
  if (auto found = nearestAmong(space, wanted, others, steps))
    return found;
  Space part = kept ? restricted(space, *kept, wanted[*kept]) : space;
  std::mt19937_64 random(1);
  return randomPoint(part, planLoops(part), random);
}

} // namespace fuselage::tune

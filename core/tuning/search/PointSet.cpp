#include "core/tuning/search/PointSet.h"
#include "core/tuning/enumerate/Enumerate.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace fuselage::tune {

PointSet PointSet::of(const Space &space, size_t most, uint64_t seed, llvm::ArrayRef<Point> wanted) {
  PointSet set;
  set.space_ = &space;
  LoopNest nest = planLoops(space);
  uint64_t budget = 50'000'000; // values that are looked at: conditions that generate none may hold nearly nowhere
  Walk walk(space, nest.levels, &budget);
  while (!nest.isEmpty && set.points_.size() <= most && walk.next())
    set.add(walk.point());
  set.isComplete_ = set.points_.size() <= most && budget > 0;
  if (!set.isComplete_) {
    set.points_.clear();
    set.numbers_.clear();
    for (const Point &point : wanted)
      if (space.contains(point))
        set.add(point);
    std::mt19937_64 random(seed);
    for (size_t tries = 0; tries < 2 * most && set.points_.size() < most; ++tries)
      if (std::optional<Point> point = randomPoint(space, nest, random))
        set.add(*point);
  }
  set.listValues();
  return set;
}

PointSet PointSet::these(const Space &space, llvm::ArrayRef<Point> points) {
  PointSet set;
  set.space_ = &space;
  for (const Point &point : points)
    set.add(point);
  set.listValues();
  return set;
}

void PointSet::add(const Point &point) {
  if (numbers_.try_emplace(point, points_.size()).second)
    points_.push_back(point);
}

void PointSet::listValues() {
  std::vector<std::set<int64_t>> values(space_->knobs.size());
  for (const Point &point : points_)
    for (auto [seen, value] : llvm::zip_equal(values, point))
      seen.insert(value);
  for (const std::set<int64_t> &seen : values)
    values_.emplace_back(seen.begin(), seen.end());
}

std::optional<size_t> PointSet::find(const Point &point) const {
  auto found = numbers_.find(point);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<size_t> PointSet::neighbours(size_t number) const {
  std::set<size_t> found;
  Point point = points_[number];
  auto add = [&] {
    auto at = find(point);
    if (at && *at != number)
      found.insert(*at);
    return at.has_value();
  };
  auto hasOrder = [&](size_t knob) { return space_->knobs[knob].labels.empty() && !space_->knobs[knob].isRegion; };
  auto indexOf = [&](size_t knob) {
    return llvm::lower_bound(values_[knob], points_[number][knob]) - values_[knob].begin();
  };
  for (size_t knob = 0; knob < point.size(); ++knob) {
    auto many = static_cast<ptrdiff_t>(values_[knob].size()), here = indexOf(knob);
    for (ptrdiff_t step : {-1, 1}) // to the next one that there is
      for (ptrdiff_t at = here + step; at >= 0 && at < many; at += step) {
        point[knob] = values_[knob][at];
        if (add() && hasOrder(knob))
          break;
      }
    point[knob] = points_[number][knob];
  }
  for (size_t up = 0; up < point.size(); ++up)
    for (size_t down = 0; down < point.size(); ++down) {
      if (up == down || !hasOrder(up) || !hasOrder(down) ||
          indexOf(up) + 1 >= static_cast<ptrdiff_t>(values_[up].size()) || indexOf(down) == 0)
        continue;
      point[up] = values_[up][indexOf(up) + 1];
      point[down] = values_[down][indexOf(down) - 1];
      add();
      point = points_[number];
    }
  return {found.begin(), found.end()};
}

} // namespace fuselage::tune

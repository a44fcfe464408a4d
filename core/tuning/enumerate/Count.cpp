#include "core/tuning/enumerate/Count.h"
#include "core/tuning/enumerate/Enumerate.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace fuselage::tune {
namespace {

/// The points of one group of levels; knobs of others do not matter.
class GroupCounter {
public:
  GroupCounter(const Space &space, llvm::ArrayRef<Level> levels, const CountOptions &options)
      : space_(space), levels_(levels), options_(options), point_(space.knobs.size(), 0) {}

  PointCount count() {
    if (std::optional<uint64_t> exact = countAll())
      return {.points = static_cast<double>(*exact)};
    return estimate();
  }

private:
  /// nullopt: there are more than is worth the time.
  std::optional<uint64_t> countAll() {
    uint64_t number = 0, left = options_.steps;
    Walk walk(space_, levels_, &left);
    while (uint64_t many = walk.skip()) {
      number += std::min(many, options_.exactUpTo + 1);
      if (number > options_.exactUpTo)
        return std::nullopt;
    }
    return left == 0 ? std::nullopt : std::optional(number);
  }

  /// Sets a random child's value in the point, and says how many there are; of many, how many a sample makes likely.
  double descend(const Level &level, std::mt19937_64 &random) {
    Candidates candidates(space_, level, point_);
    uint64_t many = candidates.left();
    if (candidates.isPlain())
      return many > 0 && candidates.pick(random() % many) ? static_cast<double>(many) : 0;
    int64_t picked = 0;
    uint64_t children = 0, tried = std::min(many, kMostChildren);
    auto take = [&] {
      if (random() % ++children == 0)
        picked = point_[level.knob];
    };
    if (many <= kMostChildren)
      while (candidates.next())
        take();
    for (uint64_t i = 0; many > kMostChildren && i < tried; ++i)
      if (candidates.pick(random() % many))
        take();
    point_[level.knob] = picked;
    return tried == 0 ? 0 : static_cast<double>(children) * (static_cast<double>(many) / static_cast<double>(tried));
  }

  double probe(std::mt19937_64 &random) {
    double product = 1;
    for (const Level &level : levels_)
      if (product *= descend(level, random); product == 0)
        return 0;
    return product;
  }

  PointCount estimate() {
    std::mt19937_64 random(options_.seed);
    double mean = 0, squares = 0;
    for (unsigned i = 1; i <= options_.probes; ++i) { // Welford's sums
      double found = probe(random), delta = found - mean;
      mean += delta / i;
      squares += delta * (found - mean);
    }
    PointCount count{.points = mean, .isExact = false, .error = 0, .isUnknown = mean == 0};
    count.error = std::sqrt(squares / (options_.probes - 1.0) / options_.probes);
    return count;
  }

  static constexpr uint64_t kMostChildren = 1000;
  const Space &space_;
  llvm::ArrayRef<Level> levels_;
  const CountOptions &options_;
  Point point_;
};

std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3)
    text.insert(at, 1, ',');
  return text;
}

} // namespace

std::string PointCount::text() const {
  if (isUnknown)
    return "unknown";
  if (isExact)
    return points < 1e15 ? grouped(static_cast<uint64_t>(points)) : llvm::formatv("{0:e2}", points).str();
  std::string number = points < 1e9 ? grouped(static_cast<uint64_t>(points)) : llvm::formatv("{0:e1}", points).str();
  return "about " + number + llvm::formatv(" (+- {0:f0} %)", points > 0 ? 100 * error / points : 0).str();
}

PointCount countPoints(const Space &space, const LoopNest &nest, const CountOptions &options) {
  if (nest.isEmpty)
    return {.points = 0};
  PointCount total{.points = 1};
  double spread = 0; // the squares of relative errors add up
  llvm::ArrayRef<Level> levels = nest.levels;
  for (size_t first = 0; first < levels.size();) {
    size_t last = first;
    while (last < levels.size() && levels[last].group == levels[first].group)
      ++last;
    PointCount group = GroupCounter(space, levels.slice(first, last - first), options).count();
    if (group.isExact && group.points == 0)
      return {.points = 0};
    total.points *= group.points;
    total.isExact &= group.isExact;
    total.isUnknown |= group.isUnknown;
    spread += group.points > 0 ? std::pow(group.error / group.points, 2) : 0;
    first = last;
  }
  total.error = total.points * std::sqrt(spread);
  return total;
}

} // namespace fuselage::tune

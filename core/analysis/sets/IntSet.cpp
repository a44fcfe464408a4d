#include "core/analysis/sets/IntSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace fuselage {

IntSet IntSet::interval(int64_t begin, int64_t end) {
  IntSet set;
  if (begin < end)
    set.runs_.push_back({.begin = begin, .width = end - begin, .stride = end - begin, .count = 1});
  return set;
}

IntSet IntSet::strided(int64_t begin, int64_t count, int64_t stride) {
  if (count <= 0)
    return {};
  if (count == 1) // whatever the stride is
    return interval(begin, begin + 1);
  if (stride < 0) // the least of all has no opposite
    return strided(begin + stride * (count - 1), count, -std::max(stride, -INT64_MAX));
  if (stride <= 1)
    return interval(begin, begin + (stride == 0 ? 1 : count));
  IntSet set;
  set.runs_.push_back({.begin = begin, .width = 1, .stride = stride, .count = count});
  return set;
}

int64_t IntSet::size() const {
  int64_t sum = 0;
  for (const IntRun &run : runs_)
    sum += run.size();
  return sum;
}

int64_t IntSet::intervalCount() const {
  int64_t sum = 0;
  for (const IntRun &run : runs_)
    sum += run.count;
  return sum;
}

void IntSet::forEachInterval(llvm::function_ref<void(int64_t, int64_t)> visit) const {
  for (const IntRun &run : runs_)
    for (int64_t k = 0; k < run.count; ++k)
      visit(run.begin + k * run.stride, run.begin + k * run.stride + run.width);
}

void IntSet::forEach(llvm::function_ref<void(int64_t)> visit) const {
  forEachInterval([&](int64_t begin, int64_t end) {
    for (int64_t value = begin; value < end; ++value)
      visit(value);
  });
}

bool IntSet::contains(int64_t value) const {
  return llvm::any_of(runs_, [&](const IntRun &run) {
    return value >= run.begin && value < run.end() && (value - run.begin) % run.stride < run.width;
  });
}

bool IntSet::containsAll(const IntSet &other) const {
  if (other.empty())
    return true;
  if (other.lo() < lo() || other.end() > end())
    return false;
  return isInterval() || *this == other || other.minus(*this).empty();
}

IntSet::Intervals IntSet::intervals() const {
  Intervals result;
  forEachInterval([&](int64_t begin, int64_t end) { result.push_back({begin, end}); });
  return result;
}

/// Joins what touches, then finds runs of equal intervals at equal distances.
IntSet IntSet::fromIntervals(llvm::ArrayRef<Interval> sorted, bool exact) {
  Intervals joined;
  for (const Interval &next : sorted) {
    if (next.begin >= next.end)
      continue;
    if (!joined.empty() && next.begin <= joined.back().end)
      joined.back().end = std::max(joined.back().end, next.end);
    else
      joined.push_back(next);
  }
  IntSet set;
  set.exact_ = exact;
  for (size_t i = 0; i < joined.size();) {
    int64_t begin = joined[i].begin, width = joined[i].end - begin, stride = width;
    size_t last = i;
    if (i + 1 < joined.size() && joined[i + 1].end - joined[i + 1].begin == width) {
      stride = joined[i + 1].begin - begin;
      while (last + 1 < joined.size() && joined[last + 1].begin - joined[last].begin == stride &&
             joined[last + 1].end - joined[last + 1].begin == width)
        ++last;
    }
    set.runs_.push_back({.begin = begin, .width = width, .stride = stride, .count = int64_t(last - i + 1)});
    i = last + 1;
  }
  return set;
}

IntSet IntSet::fromUnsorted(Intervals intervals, bool exact) {
  llvm::sort(intervals, [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
  return fromIntervals(intervals, exact);
}

IntSet IntSet::spanOf(int64_t begin, int64_t end, bool exact) const {
  IntSet set = interval(begin, end);
  set.exact_ = exact;
  return set;
}

IntSet IntSet::hull() const { return spanOf(lo(), end(), exact_); }

IntSet IntSet::approximate() const {
  IntSet copy = *this;
  copy.exact_ = false;
  return copy;
}

IntSet IntSet::shifted(int64_t by) const {
  IntSet copy = *this;
  for (IntRun &run : copy.runs_)
    run.begin += by;
  return copy;
}

IntSet IntSet::scaled(int64_t factor) const {
  if (factor == 1 || empty())
    return *this;
  if (runs_.size() == 1 && (runs_[0].width == 1 || runs_[0].count == 1)) {
    const IntRun &run = runs_[0];
    bool isPoints = run.width == 1;
    IntSet set = strided(run.begin * factor, isPoints ? run.count : run.width, (isPoints ? run.stride : 1) * factor);
    set.exact_ = exact_;
    return set;
  }
  if (size() > maxIntervals)
    return spanOf(std::min(lo() * factor, (end() - 1) * factor), std::max(lo() * factor, (end() - 1) * factor) + 1,
                  false);
  Intervals points;
  forEach([&](int64_t value) { points.push_back({value * factor, value * factor + 1}); });
  return fromUnsorted(std::move(points), exact_);
}

IntSet IntSet::plus(const IntSet &other) const {
  if (empty() || other.empty())
    return {};
  bool exact = exact_ && other.exact_;
  if (isInterval() && other.isInterval())
    return spanOf(lo() + other.lo(), end() + other.end() - 1, exact);
  if (isInterval() && !other.isInterval())
    return other.plus(*this);
  if (other.size() == 1) {
    IntSet set = shifted(other.lo());
    set.exact_ = exact;
    return set;
  }
  if (other.isInterval()) {
    // Every interval grows at its end.
    int64_t growth = other.span() - 1;
    Intervals grown;
    bool isWhole = runs_.size() == 1 && runs_[0].width + growth >= runs_[0].stride;
    if (isWhole)
      return spanOf(lo() + other.lo(), end() + other.end() - 1, exact);
    if (intervalCount() > maxIntervals)
      return spanOf(lo() + other.lo(), end() + other.end() - 1, false);
    forEachInterval([&](int64_t begin, int64_t end) {
      grown.push_back({begin + other.lo(), end + other.lo() + growth});
    });
    return fromIntervals(grown, exact);
  }
  if (intervalCount() > maxIntervals / other.intervalCount())
    return spanOf(lo() + other.lo(), end() + other.end() - 1, false);
  Intervals sums;
  for (const Interval &a : intervals())
    for (const Interval &b : other.intervals())
      sums.push_back({a.begin + b.begin, a.end + b.end - 1});
  return fromUnsorted(std::move(sums), exact);
}

IntSet IntSet::floorDiv(int64_t divisor) const {
  if (divisor == 1 || empty())
    return *this;
  int64_t first = llvm::divideFloorSigned(lo(), divisor), last = llvm::divideFloorSigned(end() - 1, divisor);
  bool isDense = runs_.size() == 1 && runs_[0].stride - runs_[0].width < divisor;
  if (isInterval() || isDense)
    return spanOf(first, last + 1, exact_);
  if (intervalCount() > maxIntervals)
    return spanOf(first, last + 1, false);
  Intervals quotients;
  forEachInterval([&](int64_t begin, int64_t end) {
    quotients.push_back({llvm::divideFloorSigned(begin, divisor), llvm::divideFloorSigned(end - 1, divisor) + 1});
  });
  return fromIntervals(quotients, exact_);
}

IntSet IntSet::modulo(int64_t divisor) const {
  if (empty())
    return {};
  int64_t block = llvm::divideFloorSigned(lo(), divisor);
  if (block == llvm::divideFloorSigned(end() - 1, divisor))
    return shifted(-block * divisor);
  if (intervalCount() > maxIntervals)
    return spanOf(0, divisor, false);
  Intervals rests;
  forEachInterval([&](int64_t begin, int64_t end) {
    if (end - begin >= divisor) {
      rests.push_back({0, divisor});
      return;
    }
    int64_t from = llvm::mod(begin, divisor), to = from + end - begin;
    rests.push_back({from, std::min(to, divisor)});
    if (to > divisor)
      rests.push_back({0, to - divisor});
  });
  return fromUnsorted(std::move(rests), exact_);
}

IntSet IntSet::unite(const IntSet &other) const {
  bool exact = exact_ && other.exact_;
  auto marked = [&](IntSet set) {
    set.exact_ = exact;
    return set;
  };
  if (empty() || *this == other)
    return marked(other);
  if (other.empty())
    return marked(*this);
  if (isInterval() && lo() <= other.lo() && end() >= other.end())
    return marked(*this);
  if (other.isInterval() && other.lo() <= lo() && other.end() >= end())
    return marked(other);
  if (isInterval() && other.isInterval() && lo() <= other.end() && other.lo() <= end())
    return spanOf(std::min(lo(), other.lo()), std::max(end(), other.end()), exact);
  if (intervalCount() + other.intervalCount() > maxIntervals)
    return spanOf(std::min(lo(), other.lo()), std::max(end(), other.end()), false);
  Intervals both = intervals();
  llvm::append_range(both, other.intervals());
  return fromUnsorted(std::move(both), exact);
}

IntSet IntSet::intersect(const IntSet &other) const {
  bool exact = exact_ && other.exact_;
  auto marked = [&](IntSet set) {
    set.exact_ = exact;
    return set;
  };
  int64_t from = std::max(lo(), other.lo()), to = std::min(end(), other.end());
  if (empty() || other.empty() || from >= to)
    return {};
  if (isInterval() && other.isInterval())
    return spanOf(from, to, exact);
  if (*this == other || (other.isInterval() && other.lo() <= lo() && other.end() >= end()))
    return marked(*this);
  if (isInterval() && lo() <= other.lo() && end() >= other.end())
    return marked(other);
  if (intervalCount() + other.intervalCount() > maxIntervals)
    return spanOf(from, to, false);
  Intervals common, mine = intervals(), theirs = other.intervals();
  for (size_t i = 0, j = 0; i < mine.size() && j < theirs.size();) {
    common.push_back({std::max(mine[i].begin, theirs[j].begin), std::min(mine[i].end, theirs[j].end)});
    mine[i].end < theirs[j].end ? ++i : ++j;
  }
  return fromIntervals(common, exact);
}

IntSet IntSet::minus(const IntSet &other) const {
  if (empty() || other.empty() || other.lo() >= end() || lo() >= other.end())
    return *this;
  bool exact = exact_ && other.exact_;
  if (other.isInterval() && other.lo() <= lo() && other.end() >= end())
    return {};
  if (intervalCount() + other.intervalCount() > maxIntervals)
    return approximate();
  Intervals rest, theirs = other.intervals();
  size_t j = 0;
  forEachInterval([&](int64_t begin, int64_t end) {
    while (j < theirs.size() && theirs[j].end <= begin)
      ++j;
    for (size_t k = j; k < theirs.size() && theirs[k].begin < end && begin < end; ++k) {
      if (theirs[k].begin > begin)
        rest.push_back({begin, theirs[k].begin});
      begin = std::max(begin, theirs[k].end);
    }
    if (begin < end)
      rest.push_back({begin, end});
  });
  return fromIntervals(rest, exact);
}

} // namespace fuselage

// Finite sets of integers, exact: what a tile touches along one dimension.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace fuselage {

/// `count` intervals of `width` integers, the first at `begin`, `stride` apart. An interval is a run
/// with count 1; every second integer one with width 1 and stride 2. stride > width where count > 1.
struct IntRun {
  int64_t begin = 0, width = 0, stride = 0, count = 1;
  int64_t end() const { return begin + stride * (count - 1) + width; }
  int64_t size() const { return width * count; }
  bool operator==(const IntRun &) const = default;
};

/// A set as sorted runs whose spans do not overlap. Intervals and strided intervals, which nearly all
/// footprints are made of, are one run; everything else is done interval by interval, up to
/// `maxIntervals`: beyond, a result becomes the interval that spans it, and isExact() says so.
class IntSet {
public:
  static constexpr int64_t maxIntervals = 1 << 16;

  IntSet() = default;
  /// [begin, end)
  static IntSet interval(int64_t begin, int64_t end);
  static IntSet strided(int64_t begin, int64_t count, int64_t stride);

  bool empty() const { return runs_.empty(); }
  bool isInterval() const { return runs_.size() == 1 && runs_[0].count == 1; }
  int64_t size() const;
  /// The span; 0 and 0 of the empty set.
  int64_t lo() const { return empty() ? 0 : runs_.front().begin; }
  int64_t end() const { return empty() ? 0 : runs_.back().end(); }
  int64_t span() const { return end() - lo(); }
  bool isExact() const { return exact_; }
  llvm::ArrayRef<IntRun> runs() const { return runs_; }
  bool contains(int64_t value) const;
  bool containsAll(const IntSet &other) const;
  bool operator==(const IntSet &other) const { return runs_ == other.runs_; }
  void forEachInterval(llvm::function_ref<void(int64_t begin, int64_t end)> visit) const;
  void forEach(llvm::function_ref<void(int64_t value)> visit) const;

  IntSet shifted(int64_t by) const;
  /// { factor * x }; factor != 0.
  IntSet scaled(int64_t factor) const;
  /// { x + y }
  IntSet plus(const IntSet &other) const;
  /// { x floordiv divisor }; divisor > 0.
  IntSet floorDiv(int64_t divisor) const;
  /// { x mod divisor }; divisor > 0.
  IntSet modulo(int64_t divisor) const;
  IntSet unite(const IntSet &other) const;
  IntSet intersect(const IntSet &other) const;
  IntSet minus(const IntSet &other) const;
  /// The interval that spans it.
  IntSet hull() const;
  /// Marks it as more than what is touched.
  IntSet approximate() const;

private:
  struct Interval {
    int64_t begin, end;
  };
  using Intervals = llvm::SmallVector<Interval, 8>;
  int64_t intervalCount() const;
  Intervals intervals() const;
  /// Sorted by begin; may overlap and touch.
  static IntSet fromIntervals(llvm::ArrayRef<Interval> sorted, bool exact);
  static IntSet fromUnsorted(Intervals intervals, bool exact);
  IntSet spanOf(int64_t begin, int64_t end, bool exact) const;

  llvm::SmallVector<IntRun, 1> runs_;
  bool exact_ = true;
};

} // namespace fuselage

// Enumerates the points of a space.
#pragma once
#include "core/tuning/enumerate/LoopNest.h"
#include "core/tuning/space/Space.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <random>

namespace fuselage::tune {

/// The values that the knob of a level can have for given values of the outer knobs.
class Candidates {
public:
  /// The arguments must outlive the object. If given, `budget` is decremented for each value that is tried; next() ends
  /// at 0.
  Candidates(const Space &space, const Level &level, Point &point, uint64_t *budget = nullptr);
  /// Sets the knob in the point to the next value for which all conditions of the level hold; false if there is none.
  bool next();
  /// The number of values that next() has not tried yet. If isPlain(), all of them pass.
  uint64_t left() const { return end_ - std::min(at_, end_); }
  bool isPlain() const { return !isList_ && tests_.empty() && dividends_.empty() && step_ == 1; }
  /// Sets the knob in the point to the value `index` values further on, if that passes.
  bool pick(uint64_t index) { return passes(isList_ ? list_[at_ + index] : domain_.at(at_ + index)); }

private:
  void cutBelow(__int128 value);
  void cutAbove(__int128 value);
  void apply(const Generator &generator);
  void listDivisors();
  bool passes(int64_t value);
  bool spend();

  const Space &space_;
  const Level &level_;
  Point &point_;
  uint64_t *budget_;
  const Domain &domain_;
  uint64_t at_ = 0, end_ = 0;      ///< indices in the domain, or in the list
  int64_t step_ = 1;               ///< values are multiples of it
  std::vector<int64_t> dividends_; ///< that values divide; not negative
  std::vector<unsigned> tests_;    ///< conditions left to test
  bool isList_ = false;            ///< `list_` instead of the domain: divisors of a number
  std::vector<int64_t> list_;
};

/// A loop nest over levels that stops at each point.
class Walk {
public:
  /// The arguments must outlive the object; `budget` is that of Candidates.
  Walk(const Space &space, llvm::ArrayRef<Level> levels, uint64_t *budget = nullptr);
  /// Goes to the next point; false if there is none, or the budget is spent.
  bool next();
  /// Skips one point, or all points of an innermost loop whose values all pass. Returns how many; 0 at the end.
  uint64_t skip();
  /// The current point. Knobs that are in none of the levels are 0.
  const Point &point() const { return point_; }

private:
  /// To the next innermost loop that may have a value; false: the end.
  bool deepen();

  const Space &space_;
  llvm::ArrayRef<Level> levels_;
  uint64_t *budget_;
  Point point_;
  std::vector<Candidates> loops_;
};

/// Calls `visit` for each point until it returns false. Returns false if it did.
bool forEachPoint(const Space &space, const LoopNest &nest, llvm::function_ref<bool(const Point &)> visit);

/// A random point: chooses a random value in each loop, from the outermost one, and backtracks if there is none. Points
/// in sparse regions of the space are more likely than others. Returns nullopt if there is no point, or trying `steps`
/// values found none.
std::optional<Point> randomPoint(const Space &space, const LoopNest &nest, std::mt19937_64 &random,
                                 uint64_t steps = 100'000);

} // namespace fuselage::tune

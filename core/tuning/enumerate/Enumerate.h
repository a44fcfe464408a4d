// All points of a space.
#pragma once
#include "core/tuning/enumerate/LoopNest.h"
#include "core/tuning/space/Space.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <random>

namespace fuselage::tune {

/// The values that a level's knob takes where those around it are bound: what the generators leave of the domain.
class Candidates {
public:
  /// All that is given outlives this. `budget`, if given, counts the values that are looked at down to 0, where `next`
  /// ends.
  Candidates(const Space &space, const Level &level, Point &point, uint64_t *budget = nullptr);
  /// Sets the knob's value in the point to the next one that all conditions of the level hold for; false: there is
  /// none.
  bool next();
  /// How many values `next` would look at from here on; all of them pass where `isPlain`.
  uint64_t left() const { return end_ - std::min(at_, end_); }
  bool isPlain() const { return !isList_ && tests_.empty() && dividends_.empty() && step_ == 1; }
  /// Sets the value in the point to that which is `index` values behind, unless it is one that does not pass.
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

/// The loops of some levels around each other, one point after the other.
class Walk {
public:
  /// All that is given outlives this; `budget` is as of Candidates.
  Walk(const Space &space, llvm::ArrayRef<Level> levels, uint64_t *budget = nullptr);
  /// Goes to the next point; false: there is none, or the budget is used up.
  bool next();
  /// Goes over a point, or over all of an innermost loop whose values all pass, at once; how many points these were, 0:
  /// the end.
  uint64_t skip();
  /// Values of knobs of other levels are 0.
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

/// Calls `visit` for each point, until it returns false. False: it did.
bool forEachPoint(const Space &space, const LoopNest &nest, llvm::function_ref<bool(const Point &)> visit);

/// A point that is found by going down the loops with a random value at each; going back where that leads nowhere. Not
/// all points are equally likely: those in thin parts come more often. nullopt: there is none, or none was found by
/// looking at `steps` values.
std::optional<Point> randomPoint(const Space &space, const LoopNest &nest, std::mt19937_64 &random,
                                 uint64_t steps = 100'000);

} // namespace fuselage::tune

// The points of a space that a search goes through.
#pragma once
#include "core/tuning/space/Space.h"
#include <map>

namespace fuselage::tune {

/// All points of a space, or as many as memory and time allow, by number.
class PointSet {
public:
  /// At most `most` points: all of them where there are no more, else random ones, with `seed`, the first of `wanted`
  /// among them.
  static PointSet of(const Space &space, size_t most = 200'000, uint64_t seed = 1, llvm::ArrayRef<Point> wanted = {});
  /// These points, which need not be all of the space, as of a recorded sweep.
  static PointSet these(const Space &space, llvm::ArrayRef<Point> points);

  const Space &space() const { return *space_; }
  size_t size() const { return points_.size(); }
  const Point &operator[](size_t number) const { return points_[number]; }
  std::optional<size_t> find(const Point &point) const;
  bool isComplete() const { return isComplete_; }

  /// Points that differ in one knob by one step up or down among the values that the set has with the other knobs as
  /// they are, or, where a knob's options have no order, by any; and those that differ in two knobs by a step each, one
  /// up and one down, as what divides or bounds the other does not allow less.
  std::vector<size_t> neighbours(size_t number) const;

private:
  void add(const Point &point);
  void listValues();

  const Space *space_ = nullptr;
  std::vector<Point> points_;
  std::map<Point, size_t> numbers_;
  std::vector<std::vector<int64_t>> values_; ///< of each knob that some point has, ascending
  bool isComplete_ = true;
};

} // namespace fuselage::tune

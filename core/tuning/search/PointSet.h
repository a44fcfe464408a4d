// The numbered points of a space that a search measures.
#pragma once
#include "core/tuning/space/Space.h"
#include <map>

namespace fuselage::tune {

/// All points of a space, or a sample if there are too many.
class PointSet {
public:
  /// All points if there are at most `most`; otherwise `most` points: those of `wanted` first, then random ones.
  static PointSet of(const Space &space, size_t most = 200'000, uint64_t seed = 1, llvm::ArrayRef<Point> wanted = {});
  /// The given points, which need not be all of the space, for example those of a recorded sweep.
  static PointSet these(const Space &space, llvm::ArrayRef<Point> points);

  const Space &space() const { return *space_; }
  size_t size() const { return points_.size(); }
  const Point &operator[](size_t number) const { return points_[number]; }
  std::optional<size_t> find(const Point &point) const;
  bool isComplete() const { return isComplete_; }

  /// The neighbours of a point:
  ///  - points that differ in one knob, which has the next smaller or larger value in the set (any value if its options
  ///    have no order);
  ///  - points where one knob is a step larger and another one a step smaller, since conditions often allow only both.
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

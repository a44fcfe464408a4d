// The values of one knob, regardless of conditions.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace fuselage::tune {

/// Integers in ascending order: a list, or the multiples of `step` between two bounds, which take no memory.
class Domain {
public:
  Domain() = default;
  /// A list; sorts the values and removes duplicates.
  static Domain of(std::vector<int64_t> values);
  /// The multiples of `step` (at least 1) in [first, last]; empty if there are none.
  static Domain multiples(int64_t first, int64_t last, int64_t step = 1);

  uint64_t size() const { return isList_ ? list_.size() : count_; }
  bool empty() const { return size() == 0; }
  int64_t at(uint64_t index) const { return isList_ ? list_[index] : first_ + static_cast<int64_t>(index) * step_; }
  int64_t front() const { return at(0); }
  int64_t back() const { return at(size() - 1); }
  bool contains(int64_t value) const;
  /// The index of the smallest value that is at least `value`; size() if there is none.
  uint64_t lowerBound(int64_t value) const;
  /// The distance between neighbouring values; 0 for a list.
  int64_t step() const { return isList_ ? 0 : step_; }

private:
  bool isList_ = false;
  std::vector<int64_t> list_;
  int64_t first_ = 0, step_ = 1;
  uint64_t count_ = 0;
};

} // namespace fuselage::tune

// The values that a knob takes by itself.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace fuselage::tune {

/// Whole numbers in ascending order: a list of them, or every `step`-th between two bounds, which costs no memory.
class Domain {
public:
  Domain() = default;
  /// Sorted, each once.
  static Domain of(std::vector<int64_t> values);
  /// The multiples of `step` (at least 1) in [first, last]; empty where there is none.
  static Domain multiples(int64_t first, int64_t last, int64_t step = 1);

  uint64_t size() const { return isList_ ? list_.size() : count_; }
  bool empty() const { return size() == 0; }
  int64_t at(uint64_t index) const { return isList_ ? list_[index] : first_ + static_cast<int64_t>(index) * step_; }
  int64_t front() const { return at(0); }
  int64_t back() const { return at(size() - 1); }
  bool contains(int64_t value) const;
  /// The index of the least value that is at least `value`; size() where there is none.
  uint64_t lowerBound(int64_t value) const;
  /// The distance of neighbours; 0: it is a list.
  int64_t step() const { return isList_ ? 0 : step_; }

private:
  bool isList_ = false;
  std::vector<int64_t> list_;
  int64_t first_ = 0, step_ = 1;
  uint64_t count_ = 0;
};

} // namespace fuselage::tune

#include "core/tuning/space/Domain.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::tune {

Domain Domain::of(std::vector<int64_t> values) {
  Domain domain;
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
  domain.isList_ = true;
  domain.list_ = std::move(values);
  return domain;
}

Domain Domain::multiples(int64_t first, int64_t last, int64_t step) {
  Domain domain;
  step = std::max<int64_t>(step, 1);
  // In 128 bits, as bounds may lie at the ends of what 64 hold.
  __int128 from = first, to = last, by = step;
  __int128 rest = ((from % by) + by) % by;
  from += rest == 0 ? 0 : by - rest;
  domain.step_ = step;
  if (from > to)
    return domain;
  domain.first_ = static_cast<int64_t>(from);
  __int128 count = (to - from) / by + 1;
  domain.count_ = count > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(count);
  return domain;
}

uint64_t Domain::lowerBound(int64_t value) const {
  if (isList_)
    return static_cast<uint64_t>(llvm::lower_bound(list_, value) - list_.begin());
  if (count_ == 0 || value <= first_)
    return 0;
  __int128 index = (static_cast<__int128>(value) - first_ + step_ - 1) / step_;
  return index > count_ ? count_ : static_cast<uint64_t>(index);
}

bool Domain::contains(int64_t value) const {
  uint64_t index = lowerBound(value);
  return index < size() && at(index) == value;
}

} // namespace fuselage::tune

// Large numbers in units that fit them.
#pragma once
#include "llvm/ADT/ArrayRef.h"

namespace fuselage {

inline constexpr const char *kByteUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};

struct Quantity {
  double value;
  const char *unit;
  bool isScaled; ///< the unit is not the first one
};

/// `value` in the first of `units` in which it is less than `base`, which is what each is of the one before.
inline Quantity inUnits(double value, double base, llvm::ArrayRef<const char *> units) {
  size_t unit = 0;
  for (; value >= base && unit + 1 < units.size(); ++unit)
    value /= base;
  return {value, units[unit], unit > 0};
}

} // namespace fuselage

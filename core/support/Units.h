// Large numbers in units that fit them.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <span>

namespace fuselage {

inline constexpr const char *kByteUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};

struct Quantity {
  double value;
  const char *unit;
  bool isScaled; ///< the unit is not the first one
};

/// `value` in the first of `units` in which it is less than `base`, which is what each is of the one before.
inline Quantity inUnits(double value, double base, std::span<const char *const> units) {
  size_t unit = 0;
  for (; value >= base && unit + 1 < units.size(); ++unit)
    value /= base;
  return {value, units[unit], unit > 0};
}
inline Quantity inUnits(double value, double base, std::initializer_list<const char *> units) {
  return inUnits(value, base, std::span<const char *const>(units.begin(), units.size()));
}

} // namespace fuselage

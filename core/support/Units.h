// Large numbers in units that fit them.
#pragma once
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <span>
#include <string>

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

/// "1.5 MiB": what is in the first unit has no decimals.
inline std::string quantityText(const Quantity &quantity, int decimals) {
  char text[400]; // for any double
  std::snprintf(text, sizeof text, "%.*f %s", quantity.isScaled ? decimals : 0, quantity.value, quantity.unit);
  return text;
}

/// "1.5 MiB".
inline std::string binaryBytesText(double bytes, int decimals = 1) {
  return quantityText(inUnits(bytes, 1024, kByteUnits), decimals);
}

/// "1.54 MB"; decimal units, as rates of memory have.
inline std::string decimalBytesText(double bytes) {
  return quantityText(inUnits(bytes, 1000, {"B", "kB", "MB", "GB", "TB"}), 2);
}

} // namespace fuselage

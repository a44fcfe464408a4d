// Where a step leads from, and where to.
#pragma once
#include <QHashFunctions>

namespace fuselage {

/// Places of schedules are snapshots from here on, see PROTOCOL.md; they go with the engine.
inline constexpr int firstPlace = 1 << 24;

/// The snapshots before what happened and after it; -1: there is none.
struct Sides {
  int before = -1, after = -1;
  bool areThere() const { return before >= 0 && after >= 0; }
  bool operator==(const Sides &) const = default;
};
inline size_t qHash(const Sides &sides, size_t seed = 0) { return qHashMulti(seed, sides.before, sides.after); }

} // namespace fuselage

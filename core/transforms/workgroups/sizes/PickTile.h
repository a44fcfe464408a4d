// Tile sizes from loop ranges, by arithmetic alone.
#pragma once
#include <cstdint>

namespace fuselage {

/// The largest divisor of `range` that is at most `limit`; at least 1.
int64_t largestDivisor(int64_t range, int64_t limit);

/// The form of the last tile of a loop whose range the tile size does not divide.
enum class LastTile {
  Full,               ///< not allowed: the tile size must divide the range
  Short,              ///< it is smaller than the others
  Overlapping,        ///< it starts earlier and recomputes elements of the tile before it
  OverlappingMultiple ///< the same, but a divisor of the range is used only if it is a multiple of `multiple`
};

/// Returns the tile size for a loop of `range` iterations, the first of these that exists:
/// - `target` for a dynamic range, the whole range if it is at most `target` or `target` is 0;
/// - the largest divisor up to `target`, if it is at least 8 or half of `target`;
/// - the smallest divisor up to twice `target` (LastTile::Full: up to four times);
/// - by `last`: `target` (Short), `target` or a bit less (Overlapping), the largest divisor up to `target` (Full).
/// With LastTile::OverlappingMultiple a divisor has to be at least 8 and a multiple of `multiple`; otherwise the size
/// is `target` or a bit less. `multiple` is 4, or the side of a matrix instruction. If it is more than 4, a range
/// between `multiple` and `target` that is not a multiple of it is covered by two overlapping tiles that are.
int64_t pickTile(int64_t range, int64_t target, LastTile last, int64_t multiple = 4);

} // namespace fuselage

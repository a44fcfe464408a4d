// Tile sizes from loop ranges, by arithmetic alone.
#pragma once
#include <cstdint>

namespace fuselage {

/// The largest divisor of `range` that is at most `limit`; at least 1.
int64_t largestDivisor(int64_t range, int64_t limit);

/// What becomes of the last tile of a loop that the tile does not divide.
enum class LastTile {
  Full,              ///< there must be none
  Short,             ///< it is smaller than the others
  Overlapping,       ///< it starts earlier, and computes again what the one before it has
  OverlappingByFours ///< the same, with tiles that registers can be cut from, also where an odd one divides the loop
};

/// A tile for a loop of `range` iterations. Whole if it fits the target; a divisor near the target (up to twice as
/// large); if there is none worth having, `target` itself where a last tile may be short, about that where it may
/// overlap, else a divisor up to four times the target, else the best that there is. A dynamic range gets the target.
/// `multiple`: tiles of LastTile::OverlappingByFours are multiples of this (4, or more for matrix instructions).
int64_t pickTile(int64_t range, int64_t target, LastTile last, int64_t multiple = 4);

} // namespace fuselage

// What all tiles of a chain touch and compute together, exact, without going through them one by one.
#pragma once
#include "core/analysis/tiles/TileChain.h"

namespace fuselage {

/// What tiles touch and compute, in elements and points of iteration domains.
struct TileCounts {
  std::vector<int64_t> points;      ///< by node: that results depend on
  std::vector<int64_t> slicePoints; ///< by node: that tile-and-fuse computes
  std::vector<int64_t> outside;     ///< by outside value: read
  std::vector<int64_t> results;     ///< by result of the root: written
  std::vector<unsigned> pointLoops, slicePointLoops, outsideLoops, resultLoops; ///< bit l: depends on loop l
  int64_t workgroupBytes = 0; ///< sum of one tile (-1: too many to be told); in totals the largest of all tiles
};

/// The counts of one tile.
TileCounts countTile(const TileChain &chain, const TileFootprint &exact, const TileFootprint &slices);

/// Bytes of workgroup memory of one tile, if each box that is read from memory, each that a producer
/// computes and the result had a buffer: boxes of outside values, of producers that compute (views
/// share the buffer of what they look at), and of the root's results. A destination that is only
/// written shares the result's buffer, and so does one that is updated in place.
int64_t workgroupBytes(const TileChain &chain, const TileFootprint &slices);

struct TileTotals {
  TileCounts sum;
  int64_t tiles = 0;
  int64_t evaluated = 0;   ///< footprints that were computed for it
  bool isComplete = false; ///< false: the budget did not suffice, and `sum` is not all
};

/// Sums over all tiles. Footprints of two tiles are the same but for a shift, and so are those between
/// them, when the same happened to all sets on the way: nothing was cut, or everything was outside a
/// border (see TileEvents). So a box of tiles counts as one of its corners times their number if all
/// its corners agree; else it is split: a tile at its border goes off, or it falls in two, or, where a
/// remainder comes back after n tiles, in n. `budget`: footprints at most, of chains of up to 8 ops;
/// fewer of longer ones.
TileTotals sumTiles(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, int64_t budget = 20000);

} // namespace fuselage

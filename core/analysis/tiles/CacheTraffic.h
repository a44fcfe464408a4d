// What tiles move to and from memory through a cache of a given size.
#pragma once
#include "core/analysis/tiles/TileTotals.h"

namespace fuselage {

/// Bytes that `totals` read from memory and write to it. `steps`: by the loops that something moves with, how many of
/// the counted tiles find it where the one before left it. -1: too many to be told.
double bytesMoved(
    const TileChain &chain, const TileTotals &totals,
    llvm::function_ref<int64_t(unsigned loops)> steps = [](unsigned) { return 1; });

struct CacheTraffic {
  double bytes = -1;  ///< -1: unknown
  std::string note{}; ///< a sentence: what stays in the cache, or why the bytes are unknown
};

/// The bytes that one processor moves which runs the tiles in `order`, and the points of a tile in the same order,
/// through a cache of `cache` bytes.
///
/// The loops over tiles and the loops over the points of a tile make one nest. An iteration of one of these loops
/// touches a block: elements of all operands, of so many bytes together (see workgroupBytes). Take the outermost loop
/// one of whose blocks the cache holds. The next iteration of this loop finds again whatever both touch. All blocks of
/// the loop together do not fit, so each run of the loop begins as with an empty cache. The traffic is the sum, over
/// those runs, of what each touches, once. If not even a point fits, every point reads and writes memory. Results are
/// read again where a block has only a part of a reduction.
///
/// A cache that evicts what was used longest ago (LRU) does the same if it holds two successive blocks; between the
/// sizes of one and of two it may move more (a test simulates it). Not modelled: cache lines, conflicts, small operands
/// that stay although their block does not, what one run leaves to the next, other processors. Of a chain with
/// producers, a tile that does not fit has unknown traffic.
CacheTraffic trafficThroughCache(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order,
                                 int64_t cache, int64_t budget);

} // namespace fuselage

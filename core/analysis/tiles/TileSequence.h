// What tiles load and compute as they run one after the other.
#pragma once
#include "core/analysis/tiles/TileTotals.h"
#include "core/protocol/Tiles.h"

namespace fuselage {

using TileSequence = message::TileSequence<>;

/// The first tiles in `order` (loops from outer to inner; empty: as the op has them), at most `most`, with sums up to
/// each.
///
/// A tile finds what the tile just before it has touched and left, and nothing older: it loads the elements of outside
/// values that it touches and the other did not, and of the result, where tiles before have a part of the reduction.
/// What it computes of a producer although a tile before has computed it counts as computed again; while only loops of
/// reductions go on that do not move it, it is computed once (see TileReport). Exact; points are marked one by one, so
/// that domains of more than 4 M points have none.
TileSequence sequenceOf(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order,
                        int64_t most);

} // namespace fuselage

// Tile one op and take into its loops, tile by tile, the ops that feed it and the ops that read it.
#pragma once
#include "core/transforms/tile_and_fuse/TileAndFuseOptions.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace fuselage {

/// Why `root` cannot be tiled as `options` ask: what is wrong, and what to do. Empty if it can be.
std::string whyNotTiled(mlir::TilingInterface root, const TileAndFuseOptions &options);

/// Tiles `root` by scf::tileUsingSCF, then moves consumers in, in block order, then producers, from
/// the last to the first, all through FusableOpInterface. A slice of a slice becomes one slice,
/// along which fusion goes on. Equal tiles of a producer are computed once. Linear in the number of
/// ops, but for producers that are read in many different tiles. Ops must be in the root's block.
/// Fails where whyNotTiled says something, and where the op's own tiling fails.
///
/// After tileConsumerAndFuseProducersUsingSCF and tileAndFuseConsumer of
/// mlir/Dialect/SCF/Transforms/TileUsingInterface.h, which ask for a TilingInterface.
mlir::FailureOr<TileAndFuseResult> tileAndFuse(mlir::RewriterBase &rewriter, mlir::TilingInterface root,
                                               const TileAndFuseOptions &options);

} // namespace fuselage

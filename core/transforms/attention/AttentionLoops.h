// Attention as loops that never hold all scores.
#pragma once
#include "core/transforms/attention/PickAttentionTiles.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

struct AttentionLoopOptions {
  AttentionTile tile{}; ///< at least 1 of each
  /// All tiles have one size, for threads that keep tiles in registers: where that does not divide the queries or keys,
  /// the last tile starts earlier. What a tile of keys repeats gets the probability 0; of the queries each workgroup
  /// stores its own. Needs attentionSizesOf(), and a tile of at most as many queries and keys as there are. Else the
  /// last tile is smaller.
  bool isUniform = false;
};

/// Replaces `op` by a loop over workgroups, one tile of queries of one head each, around a loop over tiles of keys. The
/// loop carries the maximum and the sum of each row, and the context as if that were the end; a step that finds a
/// larger maximum scales the others down. (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018;
/// Dao et al., "FlashAttention", 2022.) Sizes that somebody asks for (TilingConfig.h) move to the loop.
mlir::scf::ForallOp buildAttentionLoops(mlir::RewriterBase &rewriter, flow::AttentionOp op,
                                        const AttentionLoopOptions &options);

} // namespace fuselage

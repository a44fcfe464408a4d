// Attention as one dispatch that never holds all scores.
#pragma once
#include "core/transforms/attention/AttentionPattern.h"

namespace fuselage {

/// 0: 32, until the device chooses. Tiles that somebody asks for are written to the loop over workgroups
/// (TilingConfig.h), one number each.
struct OnlineSoftmaxOptions {
  int64_t queryTile = 0; ///< rows of one workgroup
  int64_t keyTile = 0;   ///< keys of one step
};

/// Replaces the second contraction by a flow.dispatch.region: a loop over workgroups, one tile of
/// queries of one head each, around a loop over tiles of keys. The loop carries the maximum and the
/// sum of each row, and the context as if that were the end; a step that finds a larger maximum
/// scales the others down. (Milakov and Gimelshein, "Online normalizer calculation for softmax",
/// 2018; Dao et al., "FlashAttention", 2022.) The ops that computed it before are left without users.
mlir::Operation *buildOnlineSoftmax(mlir::RewriterBase &rewriter, const Attention &attention,
                                    const OnlineSoftmaxOptions &options);

} // namespace fuselage

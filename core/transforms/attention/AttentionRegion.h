// Attention as one op in a dispatch.
#pragma once
#include "core/dialects/flow/Flow.h"
#include "core/transforms/attention/AttentionPattern.h"

namespace fuselage {

/// Tiles that somebody asks for; they are written to the op (TilingConfig.h), one number each. 0: 32 if the
/// other is not 0, else the device's choice.
struct AttentionRegionOptions {
  int64_t queryTile = 0; ///< rows of one workgroup
  int64_t keyTile = 0;   ///< keys of one step
};

/// Replaces the second contraction by a flow.dispatch.region around one flow.attention. The ops that computed it before
/// are left without users.
flow::DispatchRegionOp buildAttentionRegion(mlir::RewriterBase &rewriter, const Attention &attention,
                                            const AttentionRegionOptions &options);

} // namespace fuselage

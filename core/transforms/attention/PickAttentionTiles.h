// Attention dispatches in tiles that threads keep in registers, whatever tiles they were made with.
#pragma once
#include "core/transforms/workgroups/strategy/StrategyOptions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

struct WideAttentionOptions {
  AttentionTileOptions tiles{}; ///< how they are chosen
  bool onlyAsked = false;       ///< tiles that nobody asks for stay as they are
};

/// Rebuilds a loop over workgroups as buildOnlineSoftmax makes them with tiles of one static size:
/// where that does not divide the queries or keys, the last tile starts earlier. What a tile of
/// keys repeats gets the probability 0; of the queries each workgroup stores its own. False, and
/// nothing changed, where the loop is none of these, a size is not known, or its tiles are good as
/// they are.
bool widenAttention(mlir::RewriterBase &rewriter, mlir::scf::ForallOp forall, const WideAttentionOptions &options);

} // namespace fuselage

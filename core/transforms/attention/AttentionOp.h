// Attention as one op that other compilers know.
#pragma once
#include "core/transforms/attention/AttentionPattern.h"

namespace fuselage {

/// Replaces the second contraction by a flow.dispatch.region around one `iree_linalg_ext.attention`, in MLIR's generic
/// form: scale 1, the op's body does what happens to each score by itself, what is added to the scores (or replaces
/// them where a condition says so, by the lowest number) is its mask. Null where the logits are something else, or an
/// operand is read through more than a choice of dimensions; nothing changed then.
mlir::Operation *buildAttentionOp(mlir::RewriterBase &rewriter, const Attention &attention);

} // namespace fuselage

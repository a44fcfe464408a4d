// Which dispatches are fused attention, and what can be chosen of them.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <optional>

namespace fuselage {

/// A loop over workgroups as buildOnlineSoftmax makes it. Sizes are numbers of elements.
struct AttentionLoop {
  mlir::scf::ForallOp forall;
  int64_t heads = 1;                        ///< workgroups that share a tile's number of queries: heads, batches
  int64_t queries = 0, keys = 0;            ///< of one head
  int64_t queryTile = 0, keyTile = 0;       ///< that there are
  int64_t depth = 0;                        ///< of a query and of a key
  int64_t width = 0;                        ///< of a value
  llvm::SmallVector<int64_t> counts;        ///< how often it runs along each of its dimensions, then the loop over keys
  mlir::Type queryType, keyType, valueType; ///< elements that are read
  mlir::Type scoreType;                     ///< and what scores and probabilities are computed in
  mlir::Type contextType;                   ///< and their product with the values
};

/// The only one of a dispatch, a function or a region, that fuselage-widen-attention can give other tiles; nothing
/// where there is none, or a size is not known. Changes nothing.
std::optional<AttentionLoop> attentionLoopOf(mlir::Operation *dispatch);

} // namespace fuselage

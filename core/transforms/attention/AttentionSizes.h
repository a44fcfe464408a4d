// What can be chosen of an attention: its sizes, where all of them are known.
#pragma once
#include "core/dialects/flow/Flow.h"
#include "llvm/ADT/BitVector.h"
#include <optional>

namespace fuselage {

/// The roles of the dimensions of an attention's iteration domain.
struct AttentionDims {
  /// The dimension of the scores that is cut into tiles of queries: the last one that neither keys nor values have.
  /// Nullopt: each row of the scores is a batch of its own.
  std::optional<unsigned> queries;
  llvm::SmallVector<unsigned> batches; ///< the other dimensions of the scores that are no keys, one element a tile
  llvm::SmallVector<unsigned> keys;    ///< the first one is cut into tiles
  llvm::SmallVector<unsigned> depth;   ///< of queries and keys only
  llvm::SmallVector<unsigned> columns; ///< of values and the result only

  explicit AttentionDims(flow::AttentionOp op);
};

/// Sizes are numbers of elements.
struct AttentionSizes {
  flow::AttentionOp op;
  int64_t heads = 1;                        ///< workgroups that share a tile's number of queries: heads, batches
  int64_t queries = 0, keys = 0;            ///< of one head
  int64_t depth = 1;                        ///< of a query and of a key
  int64_t width = 1;                        ///< of a value
  mlir::Type queryType, keyType, valueType; ///< elements that are read
  mlir::Type probabilityType;               ///< elements that are multiplied with values
  mlir::Type scoreType;                     ///< and what scores and probabilities are computed in
  mlir::Type contextType;                   ///< and their product with the values
};

/// Nullopt if a size is not known, if there are several dimensions of keys or of a query, or if there are no queries to
/// cut.
std::optional<AttentionSizes> attentionSizesOf(flow::AttentionOp op);

/// The sizes of the only attention of a dispatch, a function or a region. Nullopt if there is none, or several, or its
/// sizes are not known.
std::optional<AttentionSizes> attentionIn(mlir::Operation *dispatch);

} // namespace fuselage

// Finding softmax(scores) times values, where the scores are a product as well.
#pragma once
#include "core/transforms/attention/TensorExpr.h"
#include "llvm/ADT/SmallBitVector.h"

namespace fuselage {

/// Attention, as its two contractions and what is computed between them. The space that maps start
/// from are the dimensions of the probabilities, in the order in which the second contraction reads
/// them.
struct Attention {
  mlir::linalg::LinalgOp scores;              ///< queries times keys
  mlir::linalg::LinalgOp context;             ///< probabilities times values
  unsigned probabilities = 0;                 ///< the operand of `context`
  llvm::SmallBitVector keyDims;               ///< of the space: softmax runs along them; often one
  mlir::AffineMap scoresMap;                  ///< from the space to the result of `scores`, a permutation
  TensorExpr::Ref logits;                     ///< what softmax is taken of, in terms of the scores and others
  mlir::Operation *exponential = nullptr;     ///< the payload op: exp or exp2
  llvm::SmallVector<mlir::Operation *> casts; ///< payload ops after the division, first to last
  mlir::linalg::LinalgOp rounding; ///< casts the context to another float type, maybe in another order, and is all that
                                   ///< reads it; or null

  unsigned rank() const { return scoresMap.getNumDims(); }
  bool isKey(unsigned dim) const { return keyDims.test(dim); }
  /// Whether a map from the space, or from what starts with its dimensions, depends on a key.
  bool readsKeys(mlir::AffineMap map) const {
    return llvm::any_of(keyDims.set_bits(), [&](unsigned dim) { return map.isFunctionOfDim(dim); });
  }
  /// The loop of `context` for each dimension of the space.
  mlir::AffineMap contextMap() const {
    mlir::linalg::LinalgOp op = context;
    return op.getIndexingMapsArray()[probabilities];
  }
  /// From the loops of `context` to the dimensions of what is stored in the end.
  mlir::AffineMap writtenMap() const;
};

/// Matches from the second contraction upwards. `reason` is set where the op takes a softmax of
/// something and still does not match; it stays empty where there is no sign of attention.
std::optional<Attention> matchAttention(mlir::linalg::LinalgOp context, std::string &reason);

} // namespace fuselage

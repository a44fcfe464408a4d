// Finding softmax(scores) times values, where the scores are a product as well.
#pragma once
#include "core/transforms/attention/TensorExpr.h"

namespace fuselage {

/// Attention, as its two contractions and what is computed between them. The space that maps start
/// from are the dimensions of the probabilities, in the order in which the second contraction reads
/// them.
struct Attention {
  mlir::linalg::LinalgOp scores;  ///< queries times keys
  mlir::linalg::LinalgOp context; ///< probabilities times values
  unsigned probabilities = 0;     ///< the operand of `context`
  unsigned keyDim = 0;            ///< of the space: softmax runs along it
  mlir::AffineMap scoresMap;      ///< from the space to the result of `scores`, a permutation
  TensorExpr::Ref logits;         ///< what softmax is taken of, in terms of the scores and others
  mlir::Operation *exponential = nullptr; ///< the payload op: exp or exp2
  llvm::SmallVector<mlir::Operation *> casts; ///< payload ops behind the division, first to last
  mlir::linalg::LinalgOp rounding; ///< casts the context to another float type, and is all that reads it; or null

  unsigned rank() const { return scoresMap.getNumDims(); }
  /// The loop of `context` for each dimension of the space.
  mlir::AffineMap contextMap() const {
    mlir::linalg::LinalgOp op = context;
    return op.getIndexingMapsArray()[probabilities];
  }
};

/// Matches from the second contraction upwards. `reason` is set where the op takes a softmax of
/// something and still does not match; it stays empty where there is no sign of attention.
std::optional<Attention> matchAttention(mlir::linalg::LinalgOp context, std::string &reason);

} // namespace fuselage

// What a chain of elementwise ops computes for one element, whatever way it is cut into ops.
#pragma once
#include "core/transforms/unlock/LinalgUtils.h"
#include <memory>

namespace fuselage {

/// A tree over a space of dimensions: each leaf is an element of a tensor, a scalar, or an index, each
/// node a payload op. Trees are immutable and share subtrees.
struct TensorExpr {
  using Ref = std::shared_ptr<const TensorExpr>;

  mlir::Value value;             ///< of a leaf: a tensor, or a scalar from outside of the ops
  mlir::AffineMap map;           ///< of a tensor leaf: from the space to its dimensions
  mlir::AffineExpr index;        ///< of an index leaf (linalg.index): a dimension of the space, or a constant
  mlir::Operation *op = nullptr; ///< of a node: an op with one result and no regions
  unsigned result = 0;
  llvm::SmallVector<Ref> operands;

  bool isTensor() const { return static_cast<bool>(map); }
};

/// The element of `tensor` at `map` of the space, through elementwise ops on tensors up to what is
/// none. Null where the tree would be too large.
TensorExpr::Ref exprOf(mlir::Value tensor, mlir::AffineMap map);

/// A value in the payload of `op`, whose loops are at `loops` of the space.
TensorExpr::Ref exprInPayload(mlir::Value scalar, mlir::linalg::LinalgOp op, mlir::AffineMap loops);

/// Whether both compute the same, op by op.
bool areEqual(const TensorExpr &a, const TensorExpr &b);

/// The tensor leaves, each pair of value and map once, in order of first use.
llvm::SmallVector<const TensorExpr *> tensorLeaves(const TensorExpr &expr);

/// `value` as a float constant; of a tensor, what all of its elements are.
std::optional<llvm::APFloat> floatConstant(mlir::Value value);
/// A constant from outside of the ops or from their payload.
std::optional<llvm::APFloat> floatConstant(const TensorExpr &expr);

/// Emits the ops of the tree. `leaf` gives the element of a tensor leaf, or the value of an index leaf.
mlir::Value emitExpr(mlir::OpBuilder &builder, const TensorExpr &expr,
                     llvm::function_ref<mlir::Value(const TensorExpr &)> leaf);

} // namespace fuselage

// May a producer move into the payload of its consumer? MLIR's answer, taken apart clause by clause.
#pragma once
#include "core/transforms/dispatch/FusionPolicy.h"
#include "core/transforms/dispatch/FusionReason.h"
#include "mlir/IR/Value.h"

namespace fuselage {

/// A value on its way from the op that computes it to an op that reads it.
struct FusionEdge {
  mlir::OpResult value; ///< what `use` holds, or what stands after it beyond a dispatch's border
  mlir::OpOperand *use; ///< of the consumer, or of an op in its payload
  mlir::Operation *consumer;
  mlir::Operation *producer() const { return value.getOwner(); }
  bool isCaptured() const { return use->getOwner() != consumer; }
};

/// Why linalg::areElementwiseOpsFusable says no: every clause of it that fails, in its order. Empty if
/// and only if it says yes.
Refusals elementwiseRefusals(const FusionEdge &edge);

/// What the policy asks beyond that, as the control functions of IREE's elementwise fusion do. Copies,
/// and masks of i1, cost nothing to compute again. The limit on operands is the planner's to check.
Refusals elementwisePolicyRefusals(const FusionEdge &edge, const FusionPolicy &policy);

/// Whether the op is a linalg op with parallel loops only, and so could be an elementwise producer.
bool isAllParallelLinalg(mlir::Operation *op);

/// The index of the first result of `map` that is the constant 0; -1 if none is.
int findZero(mlir::AffineMap map);

/// The index of the first result that is neither a dimension nor a constant 0, or that is a dimension
/// seen before; -1 if the map is a projected permutation, zeros aside.
int findUnprojected(mlir::AffineMap map);

/// Whether some loop of more than one iteration does not appear in the consumer's map for the edge's
/// value: elements are read repeatedly.
bool readsRepeatedly(const FusionEdge &edge);

/// Whether the value has uses other than `edge`'s; asking for its size is none. The first few other
/// users are given in `others` where it is not null.
bool hasOtherUses(const FusionEdge &edge, llvm::SmallVectorImpl<mlir::Operation *> *others = nullptr);

} // namespace fuselage

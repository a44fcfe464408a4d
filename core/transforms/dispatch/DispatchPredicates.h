// The questions that dispatch formation asks about single ops. Each is a rule of the policy.
#pragma once
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {

/// Structured ops on tensors: linalg ops, and others that can be tiled (pad, pack, softmax).
bool isComputeOp(mlir::Operation *op);

/// What kind of dispatch `op` would lead; isComputeOp must hold.
DispatchKind kindOf(mlir::Operation *op);

/// Contractions of one common first input, merged into one linalg.generic with a result for each.
bool isSiblingContraction(mlir::Operation *op);

/// Contraction, Convolution, Reduction.
bool isRootKind(DispatchKind kind);

/// A linalg op whose loops are all parallel and whose results are written through projected
/// permutations.
bool isElementwiseOp(mlir::Operation *op);

/// Whether elements are read in the order of the loops: no transpose. False for maps that are no
/// projected permutations with zeros.
bool keepsOrder(mlir::AffineMap map);

/// The tensor input whose elements an elementwise op moves without computing: a copy, broadcast or
/// transpose. Null for all others.
mlir::OpOperand *findMovedInput(mlir::linalg::LinalgOp op);

/// A copy or broadcast that keeps the order of dimensions; maps such as `(0, d1, d2)` are fine.
bool isPlainCopy(mlir::Operation *op);

/// Writes one scalar everywhere.
bool isFill(mlir::Operation *op);

/// A tensor.pad with one scalar: what reads it can tell from the indices what to read.
bool isScalarPad(mlir::Operation *op);

/// Repeating this op in every consumer costs nothing worth storing its result for: tensor.empty,
/// tensor.splat, splat constants, fills, plain copies and pads.
bool isCheapProducer(mlir::Operation *op);

/// An elementwise op that makes floats of integers of 2 to 8 bits, and whose users are contractions: to
/// store and read its result takes more time than to compute it where it is read.
bool isDequantization(mlir::Operation *op);

/// An elementwise op that only makes wider numbers of narrower ones, where they lie: who reads the
/// result better reads what it is made of.
bool isWidening(mlir::Operation *op);

/// A pack or unpack of known sizes, whose tiles fill what they are cut from.
bool isPerfectPacking(mlir::Operation *op);

/// An scf.forall, by itself, that computes tensors by ops that kernels know: one launch.
bool isParallelLoop(mlir::Operation *op);

/// Every result is a dimension or the constant 0, no dimension twice: each element is read or
/// written at its own place.
bool isProjectedPermutationWithZeros(mlir::AffineMap map);

} // namespace fuselage

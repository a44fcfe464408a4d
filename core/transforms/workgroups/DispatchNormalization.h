// Rewriting the ops of a dispatch into forms that tile and fuse.
#pragma once
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Rewrites, in `body`:
/// - composite ops (linalg.softmax, Winograd transforms) into the structured ops that they stand for;
/// - reductions of floats of 16 bits and fewer so that they accumulate in f32 and round once (WidenAccumulators.h);
/// - tensor.pad of a static source into a linalg.generic that selects between the element and the
///   padding value (a tiled tensor.pad is a branch with dynamic shapes on both sides);
/// - tensor.concat into insertions. Operands that no op computes, and slices that are results, are copied by an op;
/// - constant indices of result dimensions, such as the `0` of `(d0, d1) -> (d0, 0)` that exporters
///   emit for kept dimensions, into parallel loops of one iteration, which can be tiled through;
/// - contractions of broadcast operands so that they read the operand of the broadcast (BroadcastFolding.h).
void normalizeDispatch(mlir::RewriterBase &rewriter, mlir::Block &body);

/// True if paddedElement can express `pad`: its shapes are static and not empty, and it crops nothing.
bool canReadPadded(mlir::tensor::PadOp pad);

/// Emits the element of `pad` at `indices`: read from its source, or the padding value.
mlir::Value paddedElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::tensor::PadOp pad,
                          llvm::ArrayRef<mlir::Value> indices);

/// Gives every constant index of a result's dimension of one element in `body` a parallel loop, so that each dimension
/// of a result is a loop.
void addUnitLoops(mlir::RewriterBase &rewriter, mlir::Block &body);

} // namespace fuselage

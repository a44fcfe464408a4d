// Linalg ops on buffers as scalar code: the lowering that every op has.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace fuselage {

/// Iteration counts of the op's parallel loops, in loop order, as index values at the insertion point.
llvm::SmallVector<mlir::Value> parallelExtents(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);

/// Computes one point of the parallel iteration space at the insertion point: loads, the body, an
/// scf.for over every reduction loop with the results carried in registers, stores.
/// `parallelIvs`: one index a parallel loop. The op must have pure buffer semantics; it stays.
void emitPoint(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op, mlir::ValueRange parallelIvs);

/// Replaces the op by serial loops at its place.
void lowerToSerialLoops(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// Turns every linalg op, copy, scf.parallel and scf.forall inside `root` into serial loops.
/// Fails, with a diagnostic, on a parallel loop with a reduction of its own.
mlir::LogicalResult lowerNestToSerialLoops(mlir::RewriterBase &rewriter, mlir::Operation *root);

/// `linear` taken apart over `extents`, the last one varying fastest.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &builder, mlir::Location loc,
                                           mlir::Value linear, mlir::ValueRange extents);

/// Replaces every memref.copy inside `root` by an elementwise linalg op of the same effect.
void copiesToLinalg(mlir::RewriterBase &rewriter, mlir::Operation *root);

} // namespace fuselage

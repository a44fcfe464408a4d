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

/// Lanes of a subgroup that compute points side by side, and inputs of which they all need the same elements. Without
/// lanes: how a thread that computes points on its own goes about it.
struct LaneSharing {
  mlir::Value lane{}; ///< null: there are no lanes
  int64_t lanes = 0;
  llvm::SmallVector<int64_t> sizes{};   ///< of the points by parallel loop, the last one fastest
  llvm::SmallVector<unsigned> inputs{}; ///< operand numbers
  int64_t steps =
      4; ///< iterations of the innermost reduction loop that lanes do together, or a half or a quarter .. of them
  bool stepsInFours =
      false; ///< four iterations of the innermost reduction loop stand together, however many the points are
  bool wholeSteps = false; ///< all of them do, of a loop of up to 16, or up to 8 of a longer one
};

/// An input's element at a point that is known already; null where it has to be read.
using KnownInput = llvm::function_ref<mlir::Value(mlir::OpOperand &operand, size_t point)>;

/// Computes several points in one go: the bodies stand side by side in the reduction loops, so that
/// elements which several points read are loaded once. `initial`: the results so far, by point and
/// output, in place of loads from the outputs; then nothing is stored either, and the new results
/// are returned. An op without initial values loads and stores as emitPoint does.
llvm::SmallVector<mlir::Value> emitPoints(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                                          llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points,
                                          mlir::ValueRange initial = {}, const LaneSharing &sharing = {},
                                          KnownInput known = nullptr);

/// The outputs' elements at the points, as emitPoints takes and gives them.
llvm::SmallVector<mlir::Value> loadOutputs(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                                           llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points);
void storeOutputs(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points, mlir::ValueRange values);

/// True if every output has one element a parallel point, so that it can be carried in a register.
bool carriesOutputs(mlir::linalg::LinalgOp op);

/// Replaces the op by serial loops at its place.
void lowerToSerialLoops(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// Turns every linalg op, copy, scf.parallel and scf.forall inside `root` into serial loops.
/// Fails, with a diagnostic, on a parallel loop with a reduction of its own.
mlir::LogicalResult lowerNestToSerialLoops(mlir::RewriterBase &rewriter, mlir::Operation *root);

/// `linear` taken apart over `extents`, the last one varying fastest.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value linear,
                                           mlir::ValueRange extents);

/// Replaces every memref.copy inside `root` by an elementwise linalg op of the same effect.
void copiesToLinalg(mlir::RewriterBase &rewriter, mlir::Operation *root);

} // namespace fuselage

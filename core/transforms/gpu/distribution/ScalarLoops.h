// Lowers linalg ops on buffers to scalar code, which is possible for every op.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace fuselage {

/// Emits the iteration counts of the op's parallel loops, in loop order, as index values.
llvm::SmallVector<mlir::Value> parallelExtents(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op);

/// Computes one point of the parallel iteration space at the insertion point: loads, the body, an
/// scf.for over every reduction loop with the results carried in registers, stores.
/// `parallelIvs`: one index per parallel loop. The op must have pure buffer semantics. Keeps the op.
void emitPoint(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op, mlir::ValueRange parallelIvs);

/// How points are computed: by lanes of a subgroup that need the same elements of some inputs, or by a single thread.
struct LaneSharing {
  mlir::Value lane{}; ///< number of the lane; null: a single thread
  int64_t lanes = 0;
  llvm::SmallVector<int64_t> sizes{};   ///< of the block of points, by parallel loop; the last one varies fastest
  llvm::SmallVector<unsigned> inputs{}; ///< operand numbers of the shared inputs
  int64_t steps =
      4; ///< iterations of the innermost reduction loop for which lanes read together; halved until it divides
  bool stepsInFours = false; ///< the innermost reduction loop is unrolled by four, even with many points
  bool wholeSteps = false;   ///< it is unrolled fully if it has up to 16 iterations, else by up to 8
};

/// Returns an input's element at a point if it is in a register; null if it has to be read.
using KnownInput = llvm::function_ref<mlir::Value(mlir::OpOperand &operand, size_t point)>;

/// Computes several points at once: the reduction loops contain the bodies of all points, so that elements which
/// several points read are loaded once. `initial`: the results so far, ordered by point and output; then the outputs
/// are neither loaded nor stored, and the new results are returned. Without it, the outputs are loaded and stored as by
/// emitPoint.
llvm::SmallVector<mlir::Value> emitPoints(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                                          llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points,
                                          mlir::ValueRange initial = {}, const LaneSharing &sharing = {},
                                          KnownInput known = nullptr);

/// Load and store the elements of the outputs at the points, ordered as for emitPoints.
llvm::SmallVector<mlir::Value> loadOutputs(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                                           llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points);
void storeOutputs(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> points, mlir::ValueRange values);

/// True if every output has one element per iteration of the parallel loops, which can be carried in a register.
bool carriesOutputs(mlir::linalg::LinalgOp op);

/// Replaces the op by serial loops.
void lowerToSerialLoops(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// Turns every linalg op, copy, scf.parallel and scf.forall inside `root` into serial loops.
/// Fails, with a diagnostic, on a parallel loop with a reduction of its own.
mlir::LogicalResult lowerNestToSerialLoops(mlir::RewriterBase &rewriter, mlir::Operation *root);

/// Emits the indices of the linear index `linear` over `extents`, the last one varying fastest.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value linear,
                                           mlir::ValueRange extents);

/// Replaces every memref.copy inside `root` by an elementwise linalg op of the same effect.
void copiesToLinalg(mlir::RewriterBase &rewriter, mlir::Operation *root);

} // namespace fuselage

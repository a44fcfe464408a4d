// Sharing the ops of one workgroup among its threads.
#pragma once
#include "core/transforms/gpu/distribution/MatrixShape.h"
#include "core/transforms/workgroups/strategy/StrategyOptions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace fuselage {

/// The piece of an op's result that one thread computes and keeps in registers while it reduces.
struct RegisterTile {
  llvm::SmallVector<int64_t> sizes;  ///< by parallel loop
  llvm::SmallVector<int64_t> counts; ///< pieces by parallel loop
  int64_t points = 1;                ///< elements of a piece
  int64_t threads = 1;               ///< pieces
  /// Neighbours along a loop that stay together, where a piece is spread over the tile: the next ones lie as far behind
  /// as the neighbours of all pieces take. 0: a piece is one block.
  int64_t together = 0;
  bool wholeSteps =
      false; ///< all iterations of a short innermost reduction loop stand together: they are neighbours in memory
};

/// How the threads of a workgroup share its ops: what the strategy says, and the threads that the workgroup has.
struct Distribution : ThreadOptions {
  int64_t threads = 0;
  /// Instructions that multiply matrices: contractions that they can do are done by them.
  llvm::ArrayRef<MatrixShape> matrixShapes{};
};

/// A tile for ops with reductions whose parallel loops are static: up to 4 by 4 elements, more where
/// the threads would not suffice. Nothing for other ops, and where no tile fits `maxThreads`. `present`:
/// as many threads as there are should have a piece, if that can be.
/// `holdsLargeTiles`: pieces of 8 by 8 where 128 threads have one (see ThreadOptions).
std::optional<RegisterTile> pickRegisterTile(mlir::linalg::LinalgOp op, int64_t maxThreads, int64_t present = 64,
                                             bool holdsLargeTiles = false);

/// The ranges of the parallel loops; ShapedType::kDynamic where unknown.
llvm::SmallVector<int64_t> staticParallelExtents(mlir::linalg::LinalgOp op);

/// How many threads the ops inside `root` keep busy: a multiple of 32, and of the subgroups that hold matrices, at most
/// `options.maxThreads`.
int64_t pickThreadCount(mlir::Operation *root, const ThreadOptions &options, llvm::ArrayRef<MatrixShape> matrixShapes);

/// Rewrites the ops on buffers inside `launch`, whose body holds the work of one workgroup, for
/// its threads in a row. Elements are distributed cyclically to threads along the
/// innermost loop; reductions with a register tile keep their results in registers, also across the
/// serial loop around them. Barriers stand where an op touches what other threads have written or
/// read since the last one. Fails, with a diagnostic, on ops that no thread can run.
mlir::LogicalResult distributeToThreads(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch,
                                        const Distribution &how);

} // namespace fuselage

// Distributes the ops of one workgroup to its threads.
#pragma once
#include "core/transforms/gpu/distribution/MatrixShape.h"
#include "core/transforms/workgroups/strategy/StrategyOptions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include <optional>

namespace fuselage {

/// The tile of an op's result that one thread computes and keeps in registers while it reduces.
struct RegisterTile {
  llvm::SmallVector<int64_t> sizes;  ///< by parallel loop
  llvm::SmallVector<int64_t> counts; ///< tiles by parallel loop
  int64_t points = 1;                ///< elements of a tile
  int64_t threads = 1;               ///< number of tiles, one for each thread
  /// If not 0, a thread's tile is spread over the workgroup's tile in blocks of this many neighbours along a loop;
  /// between two of them lie the blocks of all other threads. 0: a tile is one block.
  int64_t together = 0;
  bool wholeSteps =
      false; ///< a short innermost reduction loop is unrolled, since its iterations are neighbours in memory
};

/// How the threads of a workgroup share its ops: the strategy's options and the size of the workgroup.
struct Distribution : ThreadOptions {
  int64_t threads = 0;
  /// Matrix instructions for the contractions that they can compute.
  llvm::ArrayRef<MatrixShape> matrixShapes{};
};

/// Returns a tile for an op with reductions whose parallel loops are static: up to 4 by 4 elements, or more if there
/// would be more tiles than threads. Returns nullopt for other ops, and if no tile fits `maxThreads`. `present`: the
/// number of threads that should have a tile, if possible. `holdsLargeTiles`: tiles of 8 by 8 if that leaves 128
/// threads one (see ThreadOptions).
std::optional<RegisterTile> pickRegisterTile(mlir::linalg::LinalgOp op, int64_t maxThreads, int64_t present = 64,
                                             bool holdsLargeTiles = false);

/// The ranges of the parallel loops; ShapedType::kDynamic where unknown.
llvm::SmallVector<int64_t> staticParallelExtents(mlir::linalg::LinalgOp op);

/// Returns how many threads the ops in `root` can use: a multiple of 32 (and of the subgroups that matrix instructions
/// need), at most `options.maxThreads`.
int64_t pickThreadCount(mlir::Operation *root, const ThreadOptions &options, llvm::ArrayRef<MatrixShape> matrixShapes);

/// Rewrites the ops on buffers in `launch`, whose body has the work of one workgroup, for the threads of the workgroup.
/// Elements are distributed cyclically along the innermost loop. Reductions with a register tile keep their results in
/// registers, also through the serial loop around them. A barrier is inserted before an op that conflicts with accesses
/// of other threads since the last one. Fails, with a diagnostic, on ops that no thread can run.
mlir::LogicalResult distributeToThreads(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch,
                                        const Distribution &how);

} // namespace fuselage

// The results of an op that threads keep in registers while they accumulate.
#pragma once
#include "core/transforms/gpu/distribution/CooperativeEmitter.h"
#include "core/transforms/gpu/distribution/MatrixEmitter.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/ThreadDistribution.h"
#include <memory>

namespace fuselage {

/// How a thread holds results of one op: the registers that it carries from step to step, and their elements.
struct Holding {
  int64_t holders = 0;                                      ///< number of threads that hold results
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> points; ///< indices of the elements; empty: unknown
  std::shared_ptr<MatrixEmitter> matrix;                    ///< null: registers are elements, or
  std::shared_ptr<CooperativeEmitter> cooperative;          ///< .. matrices that the device lays out
  LaneSharing sharing;
};

class HeldResults {
public:
  /// All methods emit at the rewriter's insertion point.
  HeldResults(mlir::RewriterBase &rewriter, const Distribution &how, mlir::Value thread)
      : rewriter_(rewriter), how_(how), thread_(thread) {}

  std::optional<RegisterTile> tileOf(mlir::linalg::LinalgOp op) const;
  std::optional<MatrixTile> matrixTileOf(mlir::linalg::LinalgOp op) const {
    return pickMatrixTile(op, how_.matrixShapes, how_.threads);
  }
  /// Returns how many threads hold results in registers while `op` accumulates; 0 if none do.
  int64_t holdersOf(mlir::linalg::LinalgOp op) const;
  /// Returns true if ops after `op` may be computed in its registers.
  bool canContinue(mlir::linalg::LinalgOp op) const;

  /// Emits loop-invariant code; to be called before the loops that carry the results of `op`, or before `op`.
  Holding hold(mlir::linalg::LinalgOp op) const;
  /// Emits the registers that hold `elements`, ordered by point and output.
  llvm::SmallVector<mlir::Value> registersOf(const Holding &holding, llvm::SmallVector<mlir::Value> elements) const {
    return holding.matrix ? holding.matrix->pack(elements) : elements;
  }
  /// Emits the results at `count` points from point `first` on.
  llvm::SmallVector<mlir::Value> elementsOf(const Holding &holding, mlir::linalg::LinalgOp op,
                                            llvm::ArrayRef<mlir::Value> registers, size_t first, size_t count) const;
  llvm::SmallVector<mlir::Value> accumulate(mlir::linalg::LinalgOp op, const Holding &holding,
                                            mlir::ValueRange registers) const;
  /// Emits the condition for threads that store their results; null if all do.
  mlir::Value stores(const Holding &holding, mlir::Location loc) const;

private:
  mlir::RewriterBase &rewriter_;
  Distribution how_;
  mlir::Value thread_;
};

} // namespace fuselage

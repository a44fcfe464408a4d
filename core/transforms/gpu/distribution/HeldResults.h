// What threads keep of an op's results in registers while they accumulate.
#pragma once
#include "core/transforms/gpu/distribution/CooperativeEmitter.h"
#include "core/transforms/gpu/distribution/MatrixEmitter.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/ThreadDistribution.h"
#include <memory>

namespace fuselage {

/// Of one op: the registers that a thread carries from step to step, and the elements that they are.
struct Holding {
  int64_t holders = 0;                                      ///< threads
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> points; ///< empty: nobody knows which elements a thread has
  std::shared_ptr<MatrixEmitter> matrix;                    ///< null: registers are elements, or
  std::shared_ptr<CooperativeEmitter> cooperative;          ///< .. matrices that the device lays out
  LaneSharing sharing;
};

class HeldResults {
public:
  /// The rewriter stands where code is to be written whenever something is asked for.
  HeldResults(mlir::RewriterBase &rewriter, const Distribution &how, mlir::Value thread)
      : rewriter_(rewriter), how_(how), thread_(thread) {}

  std::optional<RegisterTile> tileOf(mlir::linalg::LinalgOp op) const;
  std::optional<MatrixTile> matrixTileOf(mlir::linalg::LinalgOp op) const {
    return pickMatrixTile(op, how_.matrixShapes, how_.threads);
  }
  /// Threads that hold a piece of the results in registers while `op` accumulates; 0 where none do.
  int64_t holdersOf(mlir::linalg::LinalgOp op) const;
  /// Whether what follows `op` may be computed in its registers.
  bool canContinue(mlir::linalg::LinalgOp op) const;

  /// Written in front of the loops that `op` is carried through, or of itself.
  Holding hold(mlir::linalg::LinalgOp op) const;
  /// Registers of elements by point and output.
  llvm::SmallVector<mlir::Value> registersOf(const Holding &holding, llvm::SmallVector<mlir::Value> elements) const {
    return holding.matrix ? holding.matrix->pack(elements) : elements;
  }
  /// The results of `count` points.
  llvm::SmallVector<mlir::Value> elementsOf(const Holding &holding, mlir::linalg::LinalgOp op,
                                            llvm::ArrayRef<mlir::Value> registers, size_t first, size_t count) const;
  llvm::SmallVector<mlir::Value> accumulate(mlir::linalg::LinalgOp op, const Holding &holding,
                                            mlir::ValueRange registers) const;
  /// True for threads that store what they hold; null where all do.
  mlir::Value stores(const Holding &holding, mlir::Location loc) const;

private:
  mlir::RewriterBase &rewriter_;
  Distribution how_;
  mlir::Value thread_;
};

} // namespace fuselage

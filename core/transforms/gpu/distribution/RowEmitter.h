// Emits the ops of a RowPlan, whose tiles stay in registers.
#pragma once
#include "core/transforms/gpu/distribution/RowPlan.h"

namespace fuselage {

/// Keeps the values of the elements that a thread has of each tile, at the insertion point. They are ordered by block
/// of columns, then by row, then by neighbour (see RowLayout).
class RowEmitter {
public:
  /// `thread`: the number of the thread in its workgroup.
  RowEmitter(mlir::RewriterBase &rewriter, RowPlan plan, mlir::Value thread)
      : rewriter_(rewriter), plan_(std::move(plan)), thread_(thread) {}

  const RowPlan &plan() const { return plan_; }
  bool computes(mlir::Operation *op) const { return plan_.ops.contains(op); }
  /// Returns true if the loop contains an op of the plan.
  bool computesIn(mlir::scf::ForOp loop) const;
  /// Emits code for `op` before it. Keeps `op`.
  void emit(mlir::linalg::LinalgOp op);
  /// Replaces `loop` by one that also carries the elements that it changes. `distribute` gets the new loop and emits
  /// its body.
  mlir::LogicalResult emitLoop(mlir::scf::ForOp loop,
                               llvm::function_ref<mlir::LogicalResult(mlir::scf::ForOp)> distribute);

private:
  using Elements = llvm::SmallVector<mlir::Value>;

  /// A thread's first row and column, and the lane of the first thread that shares its rows.
  struct Place {
    mlir::Value row, column, firstLane;
  };

  bool holds(mlir::Value buffer) const { return plan_.buffers.contains(buffer); }
  mlir::Value constant(mlir::Location loc, int64_t value);
  mlir::Value plus(mlir::Location loc, mlir::Value value, int64_t more);
  Place placeOf(mlir::Location loc);
  size_t rowOf(size_t point) const;
  int64_t rowOffset(int64_t row) const;
  size_t elementsOf(const RowOp &row) const;
  llvm::SmallVector<Elements> pointsOf(mlir::linalg::LinalgOp op, const RowOp &row);
  Elements initialOf(mlir::linalg::LinalgOp op, llvm::ArrayRef<Elements> points);
  void fill(mlir::linalg::LinalgOp op, const RowOp &row);
  void computeElements(mlir::linalg::LinalgOp op, const RowOp &row);
  void reduce(mlir::linalg::LinalgOp op, const RowOp &row);
  mlir::Value shuffled(mlir::Location loc, mlir::Value value, int32_t distance);
  void multiply(mlir::linalg::LinalgOp op, const RowOp &row);
  void multiplyByInstructions(mlir::linalg::LinalgOp op, const RowOp &row);
  Elements addProducts(mlir::linalg::LinalgOp op, const RowOp &row, Elements sums);
  Elements addProductsOfHeld(mlir::linalg::LinalgOp op, const RowOp &row, Elements sums);
  mlir::Value load(mlir::linalg::LinalgOp op, const RowOp &row, unsigned operand, mlir::Value outer, mlir::Value k);
  mlir::Value addProduct(mlir::linalg::LinalgOp op, const RowOp &row, mlir::Value left, mlir::Value right,
                         mlir::Value sum);
  void store(const RowOp &row);
  void define(mlir::linalg::LinalgOp op, Elements values);
  unsigned columnNumber(mlir::linalg::LinalgOp op, const RowOp &row) const;

  mlir::RewriterBase &rewriter_;
  RowPlan plan_;
  mlir::Value thread_;
  llvm::DenseMap<mlir::Value, Elements> elements_;         ///< by buffer
  llvm::DenseMap<mlir::Value, mlir::Operation *> writers_; ///< the last one of a buffer
};

} // namespace fuselage

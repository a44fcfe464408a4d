// Emits a contraction on buffers with cooperative matrices, whose layout in registers is opaque.
#pragma once
#include "core/transforms/gpu/distribution/MatrixTile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Emits the part of one subgroup as gpu.subgroup_mma ops, which upstream lowers to SPV_KHR_cooperative_matrix.
/// Accumulators are matrices, ordered by product, block of rows and block of columns.
class CooperativeEmitter {
public:
  /// Emits the loop-invariant code at the insertion point.
  CooperativeEmitter(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, const MatrixTile &tile);

  /// Emits whether this subgroup has a part. One without a part repeats the last one, so that all reach the barriers.
  mlir::Value hasPart();
  /// Emits the initial accumulators: `valueOf` a result for all of its elements, or, if that is null, its memory.
  llvm::SmallVector<mlir::Value> start(llvm::function_ref<mlir::Value(mlir::Value result)> valueOf);
  /// Emits all steps along K of the tile, each with loads of its matrices and then multiplications. Returns the new
  /// accumulators.
  llvm::SmallVector<mlir::Value> multiply(mlir::ValueRange accumulators);
  void store(mlir::ValueRange accumulators);

private:
  /// A matrix of an operand: its loops, the place of its first element along them, and its form.
  struct Matrix {
    unsigned operand, rowLoop, columnLoop;
    mlir::Value row, column;
    mlir::gpu::MMAMatrixType type;
  };
  mlir::Value constant(int64_t value);
  mlir::Value plus(mlir::Value value, int64_t more);
  llvm::SmallVector<mlir::Value> indicesOf(const Matrix &matrix);
  mlir::Value load(const Matrix &matrix);
  Matrix resultOf(const MatrixProduct &product, int64_t row, int64_t column);
  /// All blocks of a part of a result, row by row.
  void eachBlock(llvm::function_ref<void(const MatrixProduct &product, int64_t row, int64_t column)> visit);
  llvm::SmallVector<mlir::Value> leftMatrices(unsigned operand, int64_t k);
  llvm::SmallVector<mlir::Value> rightMatrices(unsigned operand, int64_t k);

  mlir::RewriterBase &rewriter_;
  mlir::linalg::LinalgOp op_;
  MatrixTile tile_;
  mlir::Location loc_;
  mlir::Value subgroup_, firstRow_, firstColumn_; ///< of the subgroup's part
};

} // namespace fuselage

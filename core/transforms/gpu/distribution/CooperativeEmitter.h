// A contraction on buffers as cooperative matrices: operands and results of subgroups that are opaque to threads.
#pragma once
#include "core/transforms/gpu/distribution/MatrixTile.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Writes the part of a subgroup in gpu.subgroup_mma ops, which upstream makes SPV_KHR_cooperative_matrix of.
/// Accumulators are matrices, by product, block of rows and block of columns.
class CooperativeEmitter {
public:
  /// What does not change from step to step is computed here, where the rewriter stands.
  CooperativeEmitter(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op, const MatrixTile &tile);

  /// Whether this subgroup has a part; those without one repeat the last one, so that all stay together for the
  /// barriers.
  mlir::Value hasPart();
  /// What `valueOf` says that all elements of a result are, or where it says nothing what is in memory.
  llvm::SmallVector<mlir::Value> start(llvm::function_ref<mlir::Value(mlir::Value result)> valueOf);
  /// Adds the products of the operands' tiles: reads of all matrices of a step along the depth, then instructions.
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
  llvm::SmallVector<mlir::Value> leftMatrices(unsigned operand, int64_t depth);
  llvm::SmallVector<mlir::Value> rightMatrices(unsigned operand, int64_t depth);

  mlir::RewriterBase &rewriter_;
  mlir::linalg::LinalgOp op_;
  MatrixTile tile_;
  mlir::Location loc_;
  mlir::Value subgroup_, firstRow_, firstColumn_; ///< of the subgroup's part
};

} // namespace fuselage

// Which ops matrix instructions can compute, and how the subgroups of a workgroup share them.
#pragma once
#include "core/transforms/gpu/distribution/MatrixShape.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

/// The operand numbers of one product of an op.
struct MatrixProduct {
  unsigned left, right, result;
};

/// The static tile of a contraction, in parts for subgroups. `rows`, `columns` and `k` are the loops of M, N and K
/// with more than one iteration; several of them count as one loop, the last one varying fastest.
struct MatrixTile {
  MatrixShape shape;
  mlir::Type accumulator; ///< f32, f16 or i32: the instruction's accumulator
  llvm::SmallVector<MatrixProduct> products;
  llvm::SmallVector<unsigned> rows, columns, k;
  int64_t rowExtent = 1, columnExtent = 1, kExtent = 1;
  int64_t partRows = 16, partColumns = 8; ///< each result's part of one subgroup

  int64_t partsAcross() const { return columnExtent / partColumns; }
  int64_t parts() const { return rowExtent / partRows * partsAcross(); }
  int64_t threads() const { return parts() * shape.subgroup; }
  /// Accumulators of one result in a part: one for each instruction along M and N.
  int64_t blocks() const { return partRows / shape.m * (partColumns / shape.n); }
};

/// Returns the tile of `op`, on tensors or buffers, with at most `maxThreads` threads. Returns nullopt unless its loops
/// have static ranges, its body is just a multiplication and an addition, and a shape has its types and divides its
/// ranges. bf16 accumulators are f32 instead and are rounded once.
std::optional<MatrixTile> pickMatrixTile(mlir::linalg::LinalgOp op, llvm::ArrayRef<MatrixShape> shapes,
                                         int64_t maxThreads);

/// The layout of a matrix in memory: the elements from one contiguous row to the next, or if transposed, from one
/// contiguous column to the next.
struct MatrixLayout {
  int64_t stride = 0;
  bool isTransposed = false;
};
/// Returns the layout of the matrix that loops `row` and `column` of `op` index in `operand`; nullopt if neither rows
/// nor columns are contiguous, or a stride is unknown.
std::optional<MatrixLayout> matrixLayoutOf(mlir::linalg::LinalgOp op, unsigned operand, unsigned row, unsigned column);

} // namespace fuselage

// Which ops can be computed by instructions that multiply matrices, and how the subgroups of a workgroup share them.
#pragma once
#include "core/transforms/gpu/distribution/MatrixShape.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

/// One of the products that an op sums up: operand numbers.
struct MatrixProduct {
  unsigned left, right, result;
};

/// A contraction's static tile, in parts for subgroups. Rows, columns and depth are loops of the op that make more than
/// one iteration; several of them count as one, the last one fastest.
struct MatrixTile {
  MatrixShape shape;
  mlir::Type accumulator; ///< f32, f16 or i32: what the instruction adds up in
  llvm::SmallVector<MatrixProduct> products;
  llvm::SmallVector<unsigned> rows, columns, depth;
  int64_t rowExtent = 1, columnExtent = 1, depthExtent = 1;
  int64_t partRows = 16, partColumns = 8; ///< of one subgroup's part of each result

  int64_t partsAcross() const { return columnExtent / partColumns; }
  int64_t parts() const { return rowExtent / partRows * partsAcross(); }
  int64_t threads() const { return parts() * shape.subgroup; }
  /// Accumulators of one result in a part, by instruction.
  int64_t blocks() const { return partRows / shape.m * (partColumns / shape.n); }
};

/// The tile of `op`, on tensors or buffers, if its loops have static ranges, its body is nothing but a multiplication
/// and an addition, and a shape has its types and divides its ranges; it takes no more than `maxThreads` threads. Sums
/// of bf16 numbers in bf16 are summed up in f32 instead, and rounded once.
std::optional<MatrixTile> pickMatrixTile(mlir::linalg::LinalgOp op, llvm::ArrayRef<MatrixShape> shapes,
                                         int64_t maxThreads);

/// How a matrix of an op's operand lies in memory: elements from a row to the next, of which each lies in one piece; or
/// from a column to the next.
struct MatrixLayout {
  int64_t stride = 0;
  bool isTransposed = false;
};
/// Of the matrix whose rows and columns these loops of `op` walk; nothing where neither lies in one piece, or a stride
/// is not known.
std::optional<MatrixLayout> matrixLayoutOf(mlir::linalg::LinalgOp op, unsigned operand, unsigned row, unsigned column);

} // namespace fuselage

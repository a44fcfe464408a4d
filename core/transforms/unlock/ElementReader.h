// One element of a tensor as scalar code: through slices, pads, reshapes and cheap ops.
#pragma once
#include "core/transforms/unlock/LinalgUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {

/// Writes the payload that computes one element of a value from those of others, where the builder stands.
class ElementReader {
public:
  ElementReader(mlir::OpBuilder &builder, mlir::Location loc) : builder_(builder), loc_(loc) {}

  /// The element of `value` at `indices`, which must be inside. Ops that make the value are looked through where
  /// that stores or computes nothing twice.
  mlir::Value read(mlir::Value value, llvm::ArrayRef<mlir::Value> indices);

  /// Whether the op need not be stored: it is cheap, has one result, and nobody else reads that.
  static bool isReadHere(mlir::linalg::LinalgOp op);

private:
  using Indices = llvm::SmallVector<mlir::Value>;
  mlir::Value constant(int64_t value);
  mlir::Value readPad(mlir::tensor::PadOp pad, llvm::ArrayRef<mlir::Value> indices);
  mlir::Value compute(mlir::linalg::LinalgOp op, llvm::ArrayRef<mlir::Value> indices);
  Indices indicesOfSource(mlir::tensor::ExtractSliceOp slice, llvm::ArrayRef<mlir::Value> indices);
  Indices indicesThroughUnits(mlir::Operation *reshape, llvm::ArrayRef<mlir::Value> indices);

  mlir::OpBuilder &builder_;
  mlir::Location loc_;
};

} // namespace fuselage

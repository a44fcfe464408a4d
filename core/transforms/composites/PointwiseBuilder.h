// linalg.generic ops over named dimensions.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

/// A tensor, and which of a space's dimensions each of its own is.
struct Indexed {
  mlir::Value tensor;
  llvm::SmallVector<unsigned> dims;
};

/// Builds structured ops over a space of dimensions, whose sizes it learns from tensors.
class PointwiseBuilder {
public:
  PointwiseBuilder(mlir::OpBuilder &builder, mlir::Location loc, unsigned dims)
      : builder_(builder), loc_(loc), sizes_(dims) {}

  /// Learns the sizes of a tensor's dimensions that are not known yet. False if two tensors disagree.
  bool learn(const Indexed &operand);
  bool knows(unsigned dim) const { return static_cast<bool>(sizes_[dim]); }

  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;
  /// Each element of the result from those of the inputs; dimensions that the result lacks are reduced, from `init`.
  Indexed map(llvm::ArrayRef<Indexed> inputs, llvm::ArrayRef<unsigned> dims, mlir::Type element, Body body);
  Indexed reduce(llvm::ArrayRef<Indexed> inputs, llvm::ArrayRef<unsigned> dims, mlir::Value init, Body body);
  /// As reduce, from the elements of a tensor.
  Indexed accumulate(llvm::ArrayRef<Indexed> inputs, const Indexed &init, Body body);

private:
  mlir::Value empty(llvm::ArrayRef<unsigned> dims, mlir::Type element);
  Indexed generic(llvm::ArrayRef<Indexed> inputs, const Indexed &output, Body body);

  mlir::OpBuilder &builder_;
  mlir::Location loc_;
  llvm::SmallVector<mlir::OpFoldResult> sizes_;
};

/// A float as another type of float.
mlir::Value convertFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type to);

} // namespace fuselage

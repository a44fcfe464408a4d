// The tiles that one workgroup of an attention works on, and ops on them.
#pragma once
#include "core/transforms/attention/AttentionSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// Cuts the operands of an attention, and computes with tiles of them. What is built stands at the rewriter's insertion
/// point, and has the attention's location.
class AttentionTiles {
public:
  AttentionTiles(mlir::RewriterBase &rewriter, flow::AttentionOp op);

protected:
  /// What a dimension of the iteration domain covers at a time. Dimensions that are not kept have one element, and
  /// tiles do not have them.
  struct Tile {
    mlir::OpFoldResult offset, size;
    bool isKept = true;
  };
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;

  /// The map of an operand on the kept dimensions among `dims` to its own kept dimensions.
  mlir::AffineMap keptMap(mlir::AffineMap map, llvm::ArrayRef<unsigned> dims);
  llvm::SmallVector<mlir::OpFoldResult> keptSizes(llvm::ArrayRef<unsigned> dims);
  /// The tile of an operand. If it does not change from step to step and `loop` is set, it is read before that.
  mlir::Value slice(mlir::OpOperand &operand, mlir::scf::ForOp loop = {});
  /// An empty tensor by these dimensions, and one that is filled: the one that there is already, in the same block or
  /// one around it. Tensors by other dimensions are others even if their sizes are equal.
  mlir::Value empty(llvm::ArrayRef<unsigned> dims, mlir::Type element);
  mlir::Value filled(llvm::ArrayRef<unsigned> dims, mlir::TypedAttr element);
  /// A linalg.generic on tiles; loops that the result does not have are reductions.
  mlir::Value generic(mlir::ValueRange inputs, llvm::ArrayRef<mlir::AffineMap> maps, mlir::Value init,
                      mlir::AffineMap initMap, Body body);
  /// The product that a region of the attention says; `maps` are those of the factors and of the result. Accumulates in
  /// the type of `init`.
  mlir::Value product(mlir::Region &region, mlir::ValueRange factors, llvm::ArrayRef<mlir::AffineMap> maps,
                      mlir::Value init);
  /// The value that a region returns for these arguments, each converted to the float that the region takes. Arguments
  /// that are left out are positions along the dimensions of the scores.
  mlir::Value inlined(mlir::OpBuilder &builder, mlir::Region &region, mlir::ValueRange arguments);
  /// Where an element of the current tile lies along `dim`, in the body of an op by loops over all score dimensions.
  mlir::Value position(mlir::OpBuilder &builder, unsigned dim);
  /// `value` in another float type.
  mlir::Value castFloat(mlir::OpBuilder &builder, mlir::Value value, mlir::Type type);

  mlir::RewriterBase &b_;
  flow::AttentionOp op_;
  mlir::Location loc_;
  const AttentionDims dims_;
  llvm::SmallVector<unsigned> all_, scores_, rows_; ///< dimensions: all, those of the scores, those without the keys
  llvm::SmallVector<mlir::OpFoldResult> ranges_;    ///< by dimension
  llvm::SmallVector<Tile> tiles_;                   ///< by dimension
  /// What empty() and filled() made; the attribute is the type or what it is filled with.
  struct Made {
    llvm::SmallVector<unsigned> dims;
    mlir::Attribute content;
    mlir::Value tensor;
  };
  llvm::SmallVector<Made> made_; ///< those that can be seen from where ops are built
};

} // namespace fuselage

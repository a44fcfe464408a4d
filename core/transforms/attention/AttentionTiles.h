// The tiles that one workgroup of an attention dispatch works on, and ops on them.
#pragma once
#include "core/transforms/attention/AttentionPattern.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// What one dimension of the space, or one loop, covers at a time. Dimensions that are not kept have
/// one element, and tiles do not have them.
struct AttentionTile {
  mlir::OpFoldResult offset, size;
  bool isKept = true;
};

/// Steps of about `target` along an extent: a divisor near it, else the target itself.
int64_t pickStep(mlir::OpFoldResult extent, int64_t target);

/// The map of an operand on the kept loops to its kept dimensions.
mlir::AffineMap keptMap(mlir::AffineMap map, llvm::ArrayRef<AttentionTile> tiles);

/// `value` in another float type.
mlir::Value castFloat(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, mlir::Type type);

/// Knows how the loops of the two contractions and the dimensions of the space (see Attention) belong
/// together, and cuts and computes tiles. What is built stands at the rewriter's insertion point, and
/// is located where all ops are that it stands for.
class AttentionTiles {
public:
  AttentionTiles(mlir::RewriterBase &rewriter, const Attention &attention);

protected:
  using Tile = AttentionTile;
  using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;

  mlir::OpFoldResult extentOf(mlir::linalg::LinalgOp op, unsigned loop);
  mlir::OpFoldResult spaceExtent(unsigned dim);
  Tile tileAt(mlir::OpFoldResult extent, int64_t tile, mlir::Value block);
  llvm::SmallVector<Tile> loopTiles(mlir::linalg::LinalgOp op, llvm::ArrayRef<unsigned> loopOfDim);
  mlir::Value slice(mlir::Value tensor, mlir::AffineMap map, llvm::ArrayRef<Tile> tiles);
  mlir::Value filled(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::TypedAttr element);
  mlir::Value generic(mlir::ValueRange inputs, llvm::ArrayRef<mlir::AffineMap> maps, mlir::Value init,
                      mlir::AffineMap initMap, Body body);
  mlir::Value empty(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element);
  /// Accumulates in the type of `init`, which may be wider than that of the op.
  mlir::Value tiledContraction(mlir::linalg::LinalgOp op, llvm::ArrayRef<Tile> tiles, mlir::ValueRange inputs,
                               llvm::ArrayRef<mlir::AffineMap> maps, mlir::Value init);
  /// The tile of an expression over a space of which `tiles` are at hand. `known`: a leaf whose
  /// tile there is already, in the order of the space; where it is wider than the leaf, it is
  /// rounded. What is computed becomes an `element`.
  mlir::Value computed(const TensorExpr &expr, mlir::Type element, llvm::ArrayRef<Tile> tiles,
                       const TensorExpr *known = nullptr, mlir::Value knownTile = {});
  llvm::SmallVector<mlir::OpFoldResult> keptSizes(llvm::ArrayRef<Tile> tiles, const llvm::SmallBitVector &without = {});
  mlir::AffineMap tileMap(llvm::ArrayRef<unsigned> loopOfDim, llvm::ArrayRef<Tile> tiles);

  mlir::RewriterBase &b_;
  const Attention &attention_;
  mlir::Location loc_;
  llvm::SmallVector<unsigned> scoresLoop_, contextLoop_; // by dimension of the space
  llvm::SmallVector<bool> isBatch_;                      // by dimension of the space
  llvm::SmallVector<Tile> space_;
  unsigned keysOperand_ = 0; // of the scores

private:
  void classifyDims();
};

} // namespace fuselage

// The loops that tiling makes: which tiles they compute, and new results for them.
#pragma once
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <optional>

namespace fuselage {

/// A tile of a value, as one iteration computes it.
struct NestTile {
  mlir::Value tile;
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes;
  mlir::Value init; ///< a value before the loops that has the shape of the whole
  /// Slices of `init` that tiled ops write to; they become slices of the loops' own value.
  llvm::SmallVector<mlir::tensor::ExtractSliceOp> destinations{};
};

/// A nest of scf.for, or one scf.forall, of which each result is assembled from tiles.
class TileNest {
public:
  explicit TileNest(llvm::ArrayRef<mlir::LoopLikeOpInterface> loops) : loops_(loops.begin(), loops.end()) {}

  llvm::ArrayRef<mlir::LoopLikeOpInterface> loops() const { return loops_; }
  mlir::LoopLikeOpInterface outermost() const { return loops_.front(); }
  mlir::Block *body() const;
  /// What new ops of an iteration go before.
  mlir::Operation *end() const { return body()->getTerminator(); }
  bool contains(mlir::Operation *op) const { return outermost()->isProperAncestor(op); }
  /// True if the iterations do not depend on `index`.
  bool isInvariant(mlir::OpFoldResult index) const;

  /// The value that `value`, carried by the loops, has before them, with the outermost loop's
  /// operand in `init`; other values as they are, and null.
  mlir::Value outside(mlir::Value value, mlir::OpOperand *&init) const;

  /// The tile of result `number`.
  std::optional<NestTile> tileOf(unsigned number) const;

  /// True if the tiles at `offsets` of `sizes` partition a tensor of `shape`: each loop moves along
  /// one dimension, from end to end. False where that is not known.
  bool isPartition(llvm::ArrayRef<mlir::OpFoldResult> offsets, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                   llvm::ArrayRef<int64_t> shape) const;

  /// True if all ops outside of the loops that read a value of `op` stand after the loops, whose results
  /// they could read. To ask for a size is not to read.
  bool readersFollow(mlir::Operation *op) const;

  /// Lets the loops return what `tiles` make up; their results, in that order.
  llvm::SmallVector<mlir::Value> addResults(mlir::RewriterBase &rewriter, llvm::ArrayRef<NestTile> tiles);

  /// Computes results no longer that nobody uses.
  void dropUnusedResults(mlir::RewriterBase &rewriter);

private:
  llvm::SmallVector<mlir::LoopLikeOpInterface> loops_;
};

} // namespace fuselage

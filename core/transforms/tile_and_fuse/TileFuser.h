// The work of tileAndFuse on one root: consumers in TileConsumers.cpp, producers in
// TileProducers.cpp.
#pragma once
#include "core/transforms/tile_and_fuse/IndexValueNumbering.h"
#include "core/transforms/tile_and_fuse/TileAndFuseOptions.h"
#include "core/transforms/tile_and_fuse/TileNest.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <set>

namespace fuselage {

/// The sizes of the results of `op`, computed before it.
mlir::LogicalResult sizesOfResults(mlir::RewriterBase &rewriter, mlir::Operation *op,
                                   mlir::ReifiedRankedShapedTypeDims &sizes);

class TileFuser {
public:
  TileFuser(mlir::RewriterBase &rewriter, const TileAndFuseOptions &options) : rewriter_(rewriter), options_(options) {}

  mlir::FailureOr<TileAndFuseResult> run(mlir::TilingInterface root);

private:
  struct Before {
    bool operator()(mlir::Operation *a, mlir::Operation *b) const { return a->isBeforeInBlock(b); }
  };
  struct Behind {
    bool operator()(mlir::Operation *a, mlir::Operation *b) const { return b->isBeforeInBlock(a); }
  };
  /// Slices that are the same tile of the same value.
  using Slices = llvm::SmallVector<mlir::tensor::ExtractSliceOp, 2>;

  // Consumers.
  void fuseConsumers();
  void addUsersOf(mlir::Value value, std::set<mlir::Operation *, Before> &candidates);
  bool fuseConsumer(mlir::Operation *op);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> initsOf(mlir::Operation *op);
  bool readPlaceholder(mlir::Operation *placeholder, const NestTile &tile, mlir::Operation *copy,
                       llvm::MutableArrayRef<mlir::Value> values);
  void yieldConsumers(llvm::ArrayRef<mlir::Operation *> fused);

  // Producers.
  void fuseProducers();
  void enqueue(mlir::tensor::ExtractSliceOp slice);
  void fuseProducer(mlir::Operation *op);
  std::vector<Slices> equalSlices(llvm::ArrayRef<mlir::tensor::ExtractSliceOp> slices);
  mlir::Value fuseAlong(mlir::Operation *op, const Slices &slices);
  mlir::FailureOr<mlir::TilingResult> computeTile(mlir::OpResult value, mlir::tensor::ExtractSliceOp slice,
                                                  llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Value newInit);
  mlir::Value fitTile(mlir::Value tile, mlir::tensor::ExtractSliceOp slice, bool &isMerged);
  std::optional<FusableRefusal> whyNotAlong(mlir::Operation *op, const Slices &slices, mlir::OpOperand *init);
  void reportInvariants();

  // Producers that others read as well, in SharedProducers.cpp.
  bool isUsedOutside(mlir::Operation *op);
  bool canYield(mlir::Operation *op, const Slices &slices);
  void yieldProducers();
  void eraseIfDead(mlir::Operation *op);

  // Both.
  bool isDeclined(mlir::Operation *op, bool isConsumer);
  void refuse(mlir::Operation *op, bool isConsumer, FusableRefusal refusal);
  void eraseBehind(mlir::Operation *mark);
  mlir::Value castTo(mlir::Value value, mlir::Type type);

  mlir::RewriterBase &rewriter_;
  const TileAndFuseOptions &options_;
  std::optional<TileNest> nest_;
  bool isParallel_ = true;     ///< no loop is a reduction
  bool isMultiResult_ = false; ///< a producer with several results is fused
  IndexValueNumbering numbers_;
  TileAndFuseResult result_;

  llvm::DenseMap<mlir::Value, NestTile> tiles_; ///< of values after the loops
  llvm::SmallPtrSet<mlir::Operation *, 8> captured_;

  llvm::MapVector<mlir::Operation *, llvm::SmallVector<mlir::tensor::ExtractSliceOp>> slicesOf_;
  std::set<mlir::Operation *, Behind> producers_;
  std::vector<std::pair<mlir::OpResult, NestTile>> yields_; ///< of producers
  llvm::SmallPtrSet<mlir::Operation *, 8> vanishing_;       ///< their only users will read the loops
};

} // namespace fuselage

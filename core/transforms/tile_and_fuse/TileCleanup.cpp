#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <unordered_map>

using namespace mlir;

namespace fuselage {

void cleanUpTiles(Block &body) {
  RewritePatternSet patterns(body.getParentOp()->getContext());
  linalg::populateLinalgTilingCanonicalizationPatterns(patterns);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  tensor::populateMergeConsecutiveInsertExtractSlicePatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  SmallVector<Operation *> ops;
  body.walk([&](Operation *op) { ops.push_back(op); });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .setScope(body.getParent())
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // Not reaching a fixed point within the driver's limit leaves correct, less tidy IR.
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}

namespace {

/// Merges equal ops of nested blocks, outer ones first, so that operands are merged before users.
class SliceMerger {
public:
  explicit SliceMerger(RewriterBase &rewriter) : rewriter_(rewriter) {}

  void visit(Region &region) {
    for (Block &block : region) {
      SmallVector<size_t> added;
      for (Operation &op : llvm::make_early_inc_range(block))
        visit(op, added);
      for (size_t hash : added)
        known_[hash].pop_back();
    }
  }

private:
  void visit(Operation &op, SmallVectorImpl<size_t> &added) {
    // A payload is left as it is: it computes on elements, not on tiles.
    if (!isa<linalg::LinalgOp>(op) && !op.hasTrait<OpTrait::IsIsolatedFromAbove>())
      for (Region &region : op.getRegions())
        visit(region);
    bool hasSeveralTiles = isa<linalg::LinalgOp>(op) && op.getNumResults() > 1;
    if (!hasSeveralTiles && !isa<tensor::ExtractSliceOp, tensor::DimOp, affine::AffineApplyOp, affine::AffineMinOp,
                                 affine::AffineMaxOp, arith::ConstantOp>(op))
      return;
    size_t hash =
        OperationEquivalence::computeHash(&op, OperationEquivalence::directHashValue,
                                          OperationEquivalence::ignoreHashValue, OperationEquivalence::IgnoreLocations);
    SmallVector<Operation *> &sameHash = known_[hash];
    auto equal = llvm::find_if(sameHash, [&](Operation *other) {
      return OperationEquivalence::isEquivalentTo(&op, other, OperationEquivalence::IgnoreLocations);
    });
    if (equal != sameHash.end()) {
      rewriter_.replaceOp(&op, *equal);
      return;
    }
    sameHash.push_back(&op);
    added.push_back(hash);
  }

  RewriterBase &rewriter_;
  /// What is visible here, by hash; a block takes its ops out again when it is left.
  std::unordered_map<size_t, SmallVector<Operation *>> known_;
};

} // namespace

void mergeEqualSlices(RewriterBase &rewriter, Operation *op) {
  for (Region &region : op->getRegions())
    SliceMerger(rewriter).visit(region);
}

} // namespace fuselage

#include "core/transforms/TileCleanup.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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
      size_t outer = known_.size();
      for (Operation &op : llvm::make_early_inc_range(block))
        visit(op);
      known_.resize(outer);
    }
  }

private:
  using Entry = std::pair<size_t, Operation *>;

  void visit(Operation &op) {
    // A payload is left as it is: it computes on elements, not on tiles.
    if (!isa<linalg::LinalgOp>(op) && !op.hasTrait<OpTrait::IsIsolatedFromAbove>())
      for (Region &region : op.getRegions())
        visit(region);
    if (!isa<tensor::ExtractSliceOp, tensor::DimOp, affine::AffineApplyOp, affine::AffineMinOp,
             affine::AffineMaxOp, arith::ConstantOp>(op))
      return;
    size_t hash = OperationEquivalence::computeHash(
        &op, OperationEquivalence::directHashValue, OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
    auto equal = llvm::find_if(known_, [&](const Entry &entry) {
      return entry.first == hash &&
             OperationEquivalence::isEquivalentTo(&op, entry.second,
                                                  OperationEquivalence::IgnoreLocations);
    });
    if (equal == known_.end())
      known_.push_back({hash, &op});
    else
      rewriter_.replaceOp(&op, equal->second);
  }

  RewriterBase &rewriter_;
  std::vector<Entry> known_; ///< what is visible here, outermost block first
};

} // namespace

void mergeEqualSlices(RewriterBase &rewriter, Operation *op) {
  for (Region &region : op->getRegions())
    SliceMerger(rewriter).visit(region);
}

} // namespace fuselage

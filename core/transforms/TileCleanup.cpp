#include "core/transforms/TileCleanup.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// Merges equal ops of one block, first to last, so that operands are merged before their users.
static void mergeInBlock(RewriterBase &rewriter, Block &block) {
  DenseMap<size_t, SmallVector<Operation *>> seen;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa<tensor::ExtractSliceOp, tensor::DimOp, affine::AffineApplyOp, affine::AffineMinOp,
             affine::AffineMaxOp, arith::ConstantOp>(op))
      continue;
    size_t hash = OperationEquivalence::computeHash(
        &op, OperationEquivalence::directHashValue, OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
    SmallVector<Operation *> &sameHash = seen[hash];
    auto equal = llvm::find_if(sameHash, [&](Operation *other) {
      return OperationEquivalence::isEquivalentTo(&op, other,
                                                  OperationEquivalence::IgnoreLocations);
    });
    if (equal == sameHash.end())
      sameHash.push_back(&op);
    else
      rewriter.replaceOp(&op, *equal);
  }
}

void mergeEqualSlices(RewriterBase &rewriter, Operation *op) {
  op->walk([&](Block *block) { mergeInBlock(rewriter, *block); });
}

} // namespace fuselage

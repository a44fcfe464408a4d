#include "core/transforms/tile_and_fuse/Passes.h"
#include "core/transforms/tile_and_fuse/TileAndFuse.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSwitch.h"

namespace fuselage {
#define GEN_PASS_DEF_TILEANDFUSEPASS
#include "core/transforms/tile_and_fuse/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct TileAndFusePass : impl::TileAndFusePassBase<TileAndFusePass> {
  using TileAndFusePassBase::TileAndFusePassBase;
  void runOnOperation() override;

private:
  std::optional<TileAndFuseOptions> readOptions();
  SmallVector<TilingInterface> findRoots();
};

/// The options as the driver wants them; an error where one makes no sense.
std::optional<TileAndFuseOptions> TileAndFusePass::readOptions() {
  TileAndFuseOptions options;
  options.setTileSizes(SmallVector<int64_t>(tileSizes.begin(), tileSizes.end()));
  options.setInterchange(SmallVector<int64_t>(interchange.begin(), interchange.end()));
  options.setFuseProducers(fuseProducers).setFuseConsumers(fuseConsumers).setCoverStridedTiles(coverStrided);
  auto loopKind = llvm::StringSwitch<std::optional<TileLoop>>(loopType)
                      .Case("for", TileLoop::For)
                      .Case("forall", TileLoop::Forall)
                      .Default(std::nullopt);
  auto policy = llvm::StringSwitch<std::optional<SharedProducer>>(shared)
                    .Case("recompute", SharedProducer::Recompute)
                    .Case("yield", SharedProducer::Yield)
                    .Case("keep", SharedProducer::Keep)
                    .Default(std::nullopt);
  if (!loopKind)
    getOperation()->emitError("loop-type is '") << loopType << "'; it is 'for' or 'forall'";
  else if (!policy)
    getOperation()->emitError("shared is '") << shared << "'; it is 'recompute', 'yield' or 'keep'";
  else if (tileSizes.empty())
    getOperation()->emitError("tile-sizes is empty; give a size by loop of the op to tile, 0 for a whole loop");
  else if (auto least = *llvm::min_element(tileSizes); least < 0)
    getOperation()->emitError("tile-sizes lists ") << least << "; sizes are positive, or 0 for a loop that stays whole";
  else
    return options.setLoop(*loopKind).setShared(*policy);
  return std::nullopt;
}

/// True if `op` can be the default anchor.
bool computesTensors(Operation *op) {
  return isa<TilingInterface>(op) && op->getNumResults() > 0 &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

SmallVector<TilingInterface> TileAndFusePass::findRoots() {
  SmallVector<TilingInterface> marked;
  TilingInterface last;
  getOperation()->walk([&](Operation *op) {
    auto tilable = dyn_cast<TilingInterface>(op);
    if (!tilable)
      return;
    if (anchor.empty() ? computesTensors(op) : op->getName().getStringRef() == anchor)
      last = tilable;
    if (!anchor.empty() && op->hasAttr(anchor))
      marked.push_back(tilable);
  });
  if (marked.empty() && last)
    marked.push_back(last);
  return marked;
}

/// Knows which ops are gone: an anchor may have been fused into the loops of another.
struct ErasedOps : RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { ops.insert(op); }
  llvm::SmallPtrSet<Operation *, 16> ops;
};

void TileAndFusePass::runOnOperation() {
  std::optional<TileAndFuseOptions> options = readOptions();
  if (!options)
    return signalPassFailure();
  if (getOperation().isDeclaration())
    return;
  SmallVector<TilingInterface> roots = findRoots();
  if (roots.empty()) {
    InFlightDiagnostic remark = getOperation()->emitRemark("nothing to tile: no op here ");
    if (anchor.empty())
      remark << "computes tensors by loops";
    else
      remark << "is named '" << anchor << "' or has such an attribute, and can be tiled";
    return;
  }
  SmallVector<Operation *> made;
  ErasedOps erased;
  IRRewriter rewriter(&getContext(), &erased);
  for (TilingInterface root : roots) {
    if (erased.ops.contains(root))
      continue;
    Location loc = root->getLoc();
    std::string name = root->getName().getStringRef().str();
    if (std::string problem = whyNotTiled(root, *options); !problem.empty()) {
      emitRemark(loc) << name << " is left as it is: " << problem;
      continue;
    }
    FailureOr<TileAndFuseResult> result = tileAndFuse(rewriter, root, *options);
    if (failed(result)) {
      emitError(loc) << name << " cannot be tiled by these sizes: its own tiling fails; try 0 for some loops";
      return signalPassFailure();
    }
    result->loops.front()->walk([&](Operation *op) {
      if (isa<scf::ForallOp, scf::IfOp>(op))
        made.push_back(op);
    });
    for (const RefusedFusion &refused : result->refusals)
      emitRemark(refused.loc) << refused.op << " is not fused into the loops of " << name << ": "
                              << describe(refused.refusal);
  }
  // Outputs that nobody reads, and choices that are none.
  RewritePatternSet patterns(&getContext());
  scf::ForallOp::getCanonicalizationPatterns(patterns, &getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, &getContext());
  (void)applyOpPatternsGreedily(made, std::move(patterns));
  getOperation()->walk([](Block *block) {
    if (block->mightHaveTerminator() && block->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
      cleanUpTiles(*block);
  });
}

} // namespace
} // namespace fuselage

#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "core/transforms/workgroups/LoweringConfig.h"
#include "core/transforms/workgroups/Passes.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/UnevenSteps.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_TILEREDUCTIONSPASS
#include "core/transforms/workgroups/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

/// Upper bound for the fused producer tiles of a loop nest: in a chain of diamonds whose sides read different tiles,
/// they double with every op.
constexpr int maxFusedTiles = 64;

/// Where an op is, which decides its steps.
enum class Place {
  Workgroup, ///< in a loop over workgroups: the steps of the plan
  Elsewhere, ///< only requested steps
};

struct TileReductionsPass : impl::TileReductionsPassBase<TileReductionsPass> {
  using TileReductionsPassBase::TileReductionsPassBase;
  void runOnOperation() override {
    for (int64_t size : tileSizes)
      if (size < 0) {
        getOperation()->emitError("tile-sizes lists ")
            << size << "; sizes are positive, or 0 for a loop that stays whole";
        return signalPassFailure();
      }
    forEachFunction(getOperation(), [&](FunctionOpInterface function) { tileFunction(function); });
  }

private:
  void tileFunction(FunctionOpInterface function);
  void tileAll(ArrayRef<linalg::LinalgOp> reductions, Place place);
  SmallVector<int64_t> stepsOf(linalg::LinalgOp op, Place place) const;
};

/// The sizes of the first level that cuts a reduction of `op`: compilers list parallel loops in levels
/// of their own.
SmallVector<int64_t> foreignSteps(linalg::LinalgOp op) {
  for (const SmallVector<int64_t> &level : readLoweringConfig(op))
    for (auto [size, iterator] : llvm::zip(level, op.getIteratorTypesArray()))
      if (size > 0 && iterator == utils::IteratorType::reduction)
        return level;
  return {};
}

/// The steps over all loops: the option's, the recorded ones, or the strategy's; empty to leave `op`
/// whole. Only reductions are cut, whatever the sizes of the other loops.
SmallVector<int64_t> TileReductionsPass::stepsOf(linalg::LinalgOp op, Place place) const {
  auto tileable = cast<TilingInterface>(op.getOperation());
  SmallVector<int64_t> steps = readTilingConfig(op).reduction;
  bool isDone = !steps.empty() && llvm::all_of(steps, [](int64_t step) { return step == 0; });
  if (isDone)
    return {};
  if (!tileSizes.empty())
    steps.assign(tileSizes.begin(), tileSizes.end());
  if (steps.empty())
    steps = foreignSteps(op);
  if (steps.empty() && place == Place::Workgroup)
    steps = strategyOf(op)->unplannedSteps(tileable, hasFusedInput(op));
  steps.resize(op.getNumLoops(), 0);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [step, range, iterator] : llvm::zip(steps, ranges, op.getIteratorTypesArray()))
    if (iterator != utils::IteratorType::reduction || step < 0 || (!ShapedType::isDynamic(range) && step >= range))
      step = 0;
  if (llvm::all_of(steps, [](int64_t step) { return step == 0; }))
    return {};
  return steps;
}

/// True if `producer` can be fused into the loop: it is an elementwise op before it. In a planned kernel, which has
/// memory for one tile of it, it must not have users outside of the loop.
bool movesInto(Operation *producer, scf::ForOp innermost, Block *from, Place place) {
  auto op = dyn_cast_or_null<linalg::LinalgOp>(producer);
  if (!op || op->getBlock() != from || op.getNumParallelLoops() != op.getNumLoops() || !asTileable(op))
    return false;
  return place == Place::Elsewhere ||
         llvm::all_of(op->getUsers(), [&](Operation *user) { return innermost->isProperAncestor(user); });
}

/// Computes elementwise producers of the inputs of ops in the loop nest inside of it. Never what
/// initialises the accumulator, which is the loop's argument there: it would be reset in every step.
void fuseInputs(RewriterBase &rewriter, MutableArrayRef<LoopLikeOpInterface> loops, Block *from, Place place) {
  auto innermost = cast<scf::ForOp>(loops.back().getOperation());
  bool changed = true;
  for (int fused = 0; changed && fused < maxFusedTiles; ++fused) {
    changed = false;
    mergeEqualSlices(rewriter, innermost);
    for (auto slice : llvm::to_vector(innermost.getBody()->getOps<tensor::ExtractSliceOp>())) {
      if (slice->use_empty()) {
        rewriter.eraseOp(slice);
        continue;
      }
      Operation *producer = slice.getSource().getDefiningOp();
      if (!movesInto(producer, innermost, from, place))
        continue;
      rewriter.setInsertionPoint(slice);
      if (!scf::tileAndFuseProducerOfSlice(rewriter, slice, loops))
        continue;
      if (slice->use_empty())
        rewriter.eraseOp(slice);
      if (producer->use_empty())
        rewriter.eraseOp(producer);
      changed = true;
      break;
    }
  }
}

/// Reports which inputs the loop still reads from producers before it, and why.
void remarkOnRest(linalg::LinalgOp op, scf::ForOp innermost, Block *from) {
  llvm::SmallSetVector<Operation *, 4> producers;
  for (auto slice : innermost.getBody()->getOps<tensor::ExtractSliceOp>())
    if (auto producer = slice.getSource().getDefiningOp<linalg::LinalgOp>(); producer && producer->getBlock() == from)
      producers.insert(producer);
  for (Operation *producer : producers) {
    auto diagnostic = op->emitRemark("a producer of its inputs stays before the loop: ");
    if (cast<linalg::LinalgOp>(producer).getNumReductionLoops() != 0)
      diagnostic << "it reduces, and each step would repeat that";
    else
      diagnostic << "its tiles cannot be computed on their own";
    diagnostic.attachNote(producer->getLoc()) << "the producer";
  }
}

/// Cuts the reductions of one op into serial steps.
void tileOp(RewriterBase &rewriter, linalg::LinalgOp op, ArrayRef<int64_t> steps, Place place) {
  OpBuilder::InsertionGuard guard(rewriter);
  if (std::optional<unsigned> loop = place == Place::Workgroup ? unevenLoop(op, steps) : std::nullopt)
    return tileUnevenly(rewriter, op, *loop, steps);
  Block *block = op->getBlock();
  scf::SCFTilingOptions options;
  options.setTileSizes(getAsIndexOpFoldResult(rewriter.getContext(), steps));
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled) || tiled->loops.empty()) {
    op->emitRemark("its reduction stays whole: the op cannot be tiled along it");
    return;
  }
  rewriter.replaceOp(op, tiled->replacements);
  fuseInputs(rewriter, tiled->loops, block, place);
  // Tiles of uneven steps have no static size that would tell that they are cut already.
  for (Operation *tile : tiled->tiledOps)
    writeTilingConfig(
        tile, {.workgroup = readTilingConfig(tile).workgroup, .reduction = SmallVector<int64_t>(steps.size(), 0)});
  if (place == Place::Elsewhere && !tiled->tiledOps.empty())
    remarkOnRest(cast<linalg::LinalgOp>(tiled->tiledOps.front()), cast<scf::ForOp>(tiled->loops.back().getOperation()),
                 block);
}

/// From the last op to the first: none is moved or erased by the work on another one.
void TileReductionsPass::tileAll(ArrayRef<linalg::LinalgOp> reductions, Place place) {
  IRRewriter rewriter(&getContext());
  for (linalg::LinalgOp op : llvm::reverse(reductions)) {
    SmallVector<int64_t> steps = stepsOf(op, place);
    if (!steps.empty())
      tileOp(rewriter, op, steps, place);
  }
}

bool isReduction(linalg::LinalgOp op) { return op.getNumReductionLoops() != 0 && op.hasPureTensorSemantics(); }

void TileReductionsPass::tileFunction(FunctionOpInterface function) {
  IRRewriter rewriter(&getContext());
  llvm::SmallPtrSet<Operation *, 4> planned;
  SmallVector<Block *> bodies;
  forEachDispatchBody(function, [&](Block &body) { bodies.push_back(&body); });
  for (Block *body : bodies) {
    for (auto forall : llvm::to_vector(body->getOps<scf::ForallOp>())) {
      planned.insert(forall);
      tileAll(llvm::to_vector(llvm::make_filter_range(forall.getBody()->getOps<linalg::LinalgOp>(), isReduction)),
              Place::Workgroup);
    }
    cleanUpTiles(*body);
    for (auto forall : body->getOps<scf::ForallOp>())
      mergeEqualSlices(rewriter, forall);
  }
  SmallVector<linalg::LinalgOp> others;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (planned.contains(op))
      return WalkResult::skip();
    if (auto structured = dyn_cast<linalg::LinalgOp>(op); structured && isReduction(structured))
      if (!stepsOf(structured, Place::Elsewhere).empty())
        others.push_back(structured);
    return WalkResult::advance();
  });
  llvm::SmallSetVector<Block *, 4> blocks;
  for (linalg::LinalgOp op : others)
    blocks.insert(op->getBlock());
  tileAll(others, Place::Elsewhere);
  for (Block *block : blocks)
    cleanUpTiles(*block);
  if (!others.empty())
    mergeEqualSlices(rewriter, function);
}

} // namespace
} // namespace fuselage

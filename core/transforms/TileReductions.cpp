#include "core/transforms/DispatchBody.h"
#include "core/transforms/Passes.h"
#include "core/transforms/TileCleanup.h"
#include "core/transforms/TilingConfig.h"
#include "core/transforms/TilingPolicy.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuselage {
#define GEN_PASS_DEF_TILEREDUCTIONSPASS
#include "core/transforms/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct TileReductionsPass : impl::TileReductionsPassBase<TileReductionsPass> {
  using TileReductionsPassBase::TileReductionsPassBase;
  void runOnOperation() override {
    for (int64_t size : tileSizes)
      if (size < 0) {
        getOperation()->emitError("tile-sizes lists ")
            << size << "; sizes are positive, or 0 for a loop that stays whole";
        return signalPassFailure();
      }
    SmallVector<Block *> bodies;
    forEachDispatchBody(getOperation(), [&](Block &body) { bodies.push_back(&body); });
    for (Block *body : bodies) {
      for (auto forall : llvm::to_vector(body->getOps<scf::ForallOp>()))
        tileForall(forall);
      cleanUpTiles(*body);
      IRRewriter rewriter(&getContext());
      for (auto forall : body->getOps<scf::ForallOp>())
        mergeEqualSlices(rewriter, forall);
    }
  }

private:
  void tileForall(scf::ForallOp forall);
  SmallVector<int64_t> stepsOf(linalg::LinalgOp op) const;
};

/// True if an input of `op` is computed by an elementwise op in the same workgroup.
bool hasFusedInput(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInputs(), [&](Value input) {
    TilingInterface producer = asTileable(input.getDefiningOp());
    return producer && producer->getBlock() == op->getBlock() && isAllParallel(producer);
  });
}

/// The serial steps: the option's, the recorded ones, or the policy's; empty to leave `op` whole.
SmallVector<int64_t> TileReductionsPass::stepsOf(linalg::LinalgOp op) const {
  auto tileable = cast<TilingInterface>(op.getOperation());
  SmallVector<int64_t> steps(tileSizes.begin(), tileSizes.end());
  if (steps.empty())
    steps = readTilingConfig(op).reduction;
  if (steps.empty())
    steps = reductionSteps(tileable, TilingPolicy(), hasFusedInput(op));
  steps.resize(op.getNumLoops(), 0);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (auto [step, range, iterator] : llvm::zip(steps, ranges, op.getIteratorTypesArray()))
    if (iterator != utils::IteratorType::reduction ||
        (!ShapedType::isDynamic(range) && step >= range))
      step = 0;
  if (llvm::all_of(steps, [](int64_t step) { return step == 0; }))
    return {};
  return steps;
}

/// True if `producer` can move into the loop that reads it: elementwise, and read there only.
bool movesInto(Operation *producer, scf::ForOp innermost, Block *from) {
  auto op = dyn_cast_or_null<linalg::LinalgOp>(producer);
  return op && op->getBlock() == from && op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return innermost->isProperAncestor(user); });
}

/// Moves elementwise producers of the inputs of ops in the loop nest into it. Never what
/// initialises the accumulator: that would be reset in every step.
void fuseInputs(RewriterBase &rewriter, MutableArrayRef<LoopLikeOpInterface> loops, Block *from) {
  auto innermost = cast<scf::ForOp>(loops.back().getOperation());
  bool changed = true;
  while (changed) {
    changed = false;
    mergeEqualSlices(rewriter, innermost);
    for (auto slice : llvm::to_vector(innermost.getBody()->getOps<tensor::ExtractSliceOp>())) {
      if (slice->use_empty()) {
        rewriter.eraseOp(slice);
        continue;
      }
      Operation *producer = slice.getSource().getDefiningOp();
      if (!movesInto(producer, innermost, from))
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

/// Cuts the reductions of one op into serial steps.
void tileOp(RewriterBase &rewriter, linalg::LinalgOp op, ArrayRef<int64_t> steps) {
  OpBuilder::InsertionGuard guard(rewriter);
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
  fuseInputs(rewriter, tiled->loops, block);
}

void TileReductionsPass::tileForall(scf::ForallOp forall) {
  IRRewriter rewriter(&getContext());
  SmallVector<linalg::LinalgOp> reductions; // never moved or erased by the work on another one
  for (auto op : forall.getBody()->getOps<linalg::LinalgOp>())
    if (op.getNumReductionLoops() != 0 && op.hasPureTensorSemantics())
      reductions.push_back(op);
  for (linalg::LinalgOp op : llvm::reverse(reductions)) {
    SmallVector<int64_t> steps = stepsOf(op);
    if (!steps.empty())
      tileOp(rewriter, op, steps);
  }
}

} // namespace
} // namespace fuselage

#include "core/transforms/workgroups/OverlappingTiles.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {
namespace {

/// One loop of a tile: what is computed, and what of that the workgroup stores.
struct LoopTile {
  OpFoldResult offset, size; ///< computed
  OpFoldResult start, own;   ///< stored
  OpFoldResult skipped;      ///< computed before the first stored iteration, by another workgroup as well
};

/// The tile of `size` iterations of `range` that the workgroup `block` of a loop takes.
LoopTile tileAt(OpBuilder &b, Location loc, Value block, int64_t range, int64_t size) {
  AffineExpr start = b.getAffineDimExpr(0) * size;
  auto constant = [&](int64_t value) { return b.getAffineConstantExpr(value); };
  auto apply = [&](AffineExpr expr) {
    return affine::makeComposedFoldedAffineApply(b, loc, expr, {OpFoldResult(block)});
  };
  auto least = [&](AffineExpr first, AffineExpr second) {
    AffineMap map = AffineMap::get(1, 0, {first, second}, b.getContext());
    return affine::makeComposedFoldedAffineMin(b, loc, map, {OpFoldResult(block)});
  };
  LoopTile tile;
  tile.start = apply(start);
  tile.size = b.getIndexAttr(size);
  if (range % size == 0) {
    tile.offset = tile.start;
    tile.own = tile.size;
    tile.skipped = b.getIndexAttr(0);
    return tile;
  }
  tile.offset = least(start, constant(range - size));
  tile.own = least(constant(size), constant(range) - start);
  AffineMap repeated = AffineMap::get(1, 0, {constant(0), start - (range - size)}, b.getContext());
  tile.skipped = affine::makeComposedFoldedAffineMax(b, loc, repeated, {OpFoldResult(block)});
  return tile;
}

/// Stores the elements of `tile`, a tile of result `number` of `root`, that the workgroup owns. `split`: the number of
/// the split whose partial result that is; null without split.
void storeOwn(OpBuilder &b, scf::ForallOp forall, linalg::LinalgOp root, unsigned number, Value tile,
              ArrayRef<LoopTile> loops, Value split) {
  SmallVector<OpFoldResult> skipped, own, start;
  for (AffineExpr expr : root.getIndexingMapMatchingResult(root->getResult(number)).getResults()) {
    const LoopTile &loop = loops[cast<AffineDimExpr>(expr).getPosition()];
    skipped.push_back(loop.skipped);
    own.push_back(loop.own);
    start.push_back(loop.start);
  }
  SmallVector<OpFoldResult> unit(own.size(), b.getIndexAttr(1));
  b.setInsertionPoint(forall.getTerminator());
  Value stored = tensor::ExtractSliceOp::create(b, root.getLoc(), tile, skipped, own, unit);
  b.setInsertionPointToEnd(forall.getTerminator().getBody());
  if (split) {
    start.insert(start.begin(), split);
    own.insert(own.begin(), b.getIndexAttr(1));
    unit.push_back(b.getIndexAttr(1));
  }
  tensor::ParallelInsertSliceOp::create(b, root.getLoc(), stored, forall.getRegionIterArgs()[number], start, own, unit);
}

/// Returns the reduction loop that is split; nullopt if there is none.
std::optional<unsigned> splitLoop(const KernelPlan &plan) {
  auto *found = llvm::find_if(plan.split, [](int64_t size) { return size > 0; });
  return found == plan.split.end() ? std::nullopt : std::optional<unsigned>(found - plan.split.begin());
}

/// Lets the tile of a split start with the neutral element, in a tensor of its own.
void fillWithNeutral(OpBuilder &b, linalg::LinalgOp root, linalg::LinalgOp tile) {
  b.setInsertionPoint(tile);
  for (auto [number, init] : llvm::enumerate(tile.getDpsInitsMutable())) {
    auto type = cast<RankedTensorType>(init.get().getType());
    init.set(fillNeutral(b, root, number,
                         tensor::EmptyOp::create(b, root.getLoc(), type.getShape(), type.getElementType())));
  }
}

} // namespace

FailureOr<scf::ForallOp> tileOverlapping(RewriterBase &rewriter, const KernelPlan &plan) {
  auto root = cast<linalg::LinalgOp>(TilingInterface(plan.root).getOperation());
  Location loc = root.getLoc();
  SmallVector<int64_t> ranges = root.getStaticLoopRanges(), counts;
  std::optional<unsigned> shared = splitLoop(plan);
  if (shared)
    counts.push_back(ranges[*shared] / plan.split[*shared]);
  for (auto [range, size] : llvm::zip_equal(ranges, plan.workgroup))
    if (size > 0)
      counts.push_back(llvm::divideCeil(range, size));
  rewriter.setInsertionPoint(root);
  SmallVector<Value> outputs;
  for (Value result : root->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (shared)
      shape.insert(shape.begin(), counts.front());
    outputs.push_back(tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType()));
  }
  auto forall = scf::ForallOp::create(rewriter, loc, getAsIndexOpFoldResult(rewriter.getContext(), counts), outputs,
                                      rewriter.getArrayAttr(blockMapping(rewriter.getContext(), counts)));
  rewriter.setInsertionPointToStart(forall.getBody());
  SmallVector<LoopTile> loops;
  unsigned block = shared ? 1 : 0;
  for (auto [range, size] : llvm::zip_equal(ranges, plan.workgroup)) {
    OpFoldResult first = rewriter.getIndexAttr(0), all = rewriter.getIndexAttr(range);
    if (loops.size() == shared)
      loops.push_back(tileAt(rewriter, loc, forall.getInductionVar(0), range, plan.split[*shared]));
    else if (size == 0)
      loops.push_back({.offset = first, .size = all, .start = first, .own = all, .skipped = first});
    else
      loops.push_back(tileAt(rewriter, loc, forall.getInductionVar(block++), range, size));
  }
  SmallVector<OpFoldResult> offsets, sizes;
  for (const LoopTile &loop : loops) {
    offsets.push_back(loop.offset);
    sizes.push_back(loop.size);
  }
  FailureOr<TilingResult> tiled = TilingInterface(plan.root).getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tiled)) {
    rewriter.eraseOp(forall);
    return failure();
  }
  if (shared)
    fillWithNeutral(rewriter, root, cast<linalg::LinalgOp>(tiled->tiledOps.front()));
  for (auto [number, tile] : llvm::enumerate(tiled->tiledValues))
    storeOwn(rewriter, forall, root, number, tile, loops, shared ? forall.getInductionVar(0) : Value());
  if (shared)
    forall->setAttr(kSplitsAttr, rewriter.getI64IntegerAttr(counts.front()));
  rewriter.setInsertionPointAfter(forall);
  SmallVector<Value> results(forall.getResults());
  for (auto [number, result] : llvm::enumerate(results))
    if (shared)
      result = combinePartials(rewriter, root, number, result, 0, root.getDpsInitOperand(number)->get()).getResult(0);
  rewriter.replaceOp(root, results);
  return forall;
}

} // namespace fuselage

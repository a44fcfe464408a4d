#include "core/transforms/TileNest.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace fuselage {

Block *TileNest::body() const {
  LoopLikeOpInterface innermost = loops_.back();
  return &innermost.getLoopRegions().front()->front();
}

bool TileNest::isInvariant(OpFoldResult index) const {
  auto value = dyn_cast<Value>(index);
  if (!value || getConstantIntValue(index))
    return true;
  return !outermost()->isAncestor(value.getParentBlock()->getParentOp());
}

Value TileNest::outside(Value value, OpOperand *&init) const {
  init = nullptr;
  for (LoopLikeOpInterface loop : llvm::reverse(loops_)) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner()->getParentOp() != loop.getOperation())
      break;
    OpOperand *tied = loop.getTiedLoopInit(argument);
    if (!tied)
      break;
    init = tied;
    value = tied->get();
  }
  return value;
}

/// Where result `number` is inserted in an iteration of `forall`.
static tensor::ParallelInsertSliceOp insertionOf(scf::ForallOp forall, unsigned number) {
  for (Operation &op : forall.getTerminator().getYieldingOps())
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
        insert && insert.getDest() == forall.getRegionIterArgs()[number])
      return insert;
  return nullptr;
}

std::optional<NestTile> TileNest::tileOf(unsigned number) const {
  Value init = outermost().getInits()[number];
  auto tileFrom = [&](auto insert) -> std::optional<NestTile> {
    if (!insert || insert.getSourceType().getRank() != int64_t(insert.getMixedSizes().size()) ||
        !llvm::all_of(insert.getMixedStrides(), [](OpFoldResult stride) { return isConstantIntValue(stride, 1); }))
      return std::nullopt;
    return NestTile{insert.getSource(), insert.getMixedOffsets(), insert.getMixedSizes(), init};
  };
  if (auto forall = dyn_cast<scf::ForallOp>(outermost().getOperation()))
    return tileFrom(insertionOf(forall, number));
  // Results of a nest are passed on from loop to loop.
  Value yielded = end()->getOperand(number);
  return tileFrom(yielded.getDefiningOp<tensor::InsertSliceOp>());
}

/// What a loop runs over, where that is known: from 0 in steps of `step` to `end`.
static std::optional<std::pair<int64_t, int64_t>> rangeOf(LoopLikeOpInterface loop, unsigned number) {
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(), step = loop.getLoopSteps();
  if (!lower || !upper || !step || !isConstantIntValue((*lower)[number], 0))
    return std::nullopt;
  std::optional<int64_t> end = getConstantIntValue((*upper)[number]), by = getConstantIntValue((*step)[number]);
  if (!end || !by || *by <= 0)
    return std::nullopt;
  return std::pair(*end, *by);
}

/// True if `size` is what is left at `iv` of `end` elements, `step` at most.
static bool isRest(OpFoldResult size, Value iv, int64_t end, int64_t step) {
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return *constant == step && end % step == 0;
  auto min = cast<Value>(size).getDefiningOp<affine::AffineMinOp>();
  if (!min || min.getMap().getNumResults() != 2 || min.getOperands().size() != 1 || min.getOperands()[0] != iv)
    return false;
  AffineExpr var = min.getMap().getNumDims() == 1 ? getAffineDimExpr(0, min.getContext())
                                                  : getAffineSymbolExpr(0, min.getContext());
  AffineExpr whole = getAffineConstantExpr(step, min.getContext());
  ArrayRef<AffineExpr> results = min.getMap().getResults();
  AffineExpr other = results[0] == whole ? results[1] : results[1] == whole ? results[0] : AffineExpr();
  return other && other == -var + end;
}

bool TileNest::isPartition(ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                           ArrayRef<int64_t> shape) const {
  struct Dim {
    Value iv;
    int64_t end, step;
  };
  SmallVector<Dim> all;
  for (LoopLikeOpInterface loop : loops_) {
    auto ivs = loop.getLoopInductionVars();
    if (!ivs)
      return false;
    for (auto [number, iv] : llvm::enumerate(*ivs)) {
      auto range = rangeOf(loop, number);
      if (!range)
        return false;
      all.push_back({iv, range->first, range->second});
    }
  }
  llvm::SmallBitVector used(all.size());
  for (auto [offset, size, extent] : llvm::zip_equal(offsets, sizes, shape)) {
    if (isConstantIntValue(offset, 0) && isConstantIntValue(size, extent))
      continue;
    auto *found = llvm::find_if(all, [&](const Dim &dim) { return OpFoldResult(dim.iv) == offset; });
    if (found == all.end() || used.test(found - all.begin()) || found->end != extent ||
        !isRest(size, found->iv, found->end, found->step))
      return false;
    used.set(found - all.begin());
  }
  for (auto [i, dim] : llvm::enumerate(all))
    if (!used.test(i) && dim.end > dim.step)
      return false;
  return true;
}

/// The same loop with `inits` as further outputs, `tiles` inserted into them.
static scf::ForallOp addOutputs(RewriterBase &rewriter, scf::ForallOp forall, ValueRange inits,
                                ArrayRef<NestTile> tiles) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(forall);
  SmallVector<Value> outputs(forall.getOutputs());
  llvm::append_range(outputs, inits);
  auto made = scf::ForallOp::create(rewriter, forall.getLoc(), forall.getMixedLowerBound(),
                                    forall.getMixedUpperBound(), forall.getMixedStep(), outputs,
                                    forall.getMapping(), [](OpBuilder &, Location, ValueRange) {});
  Block *body = made.getBody();
  rewriter.mergeBlocks(forall.getBody(), body, body->getArguments().take_front(forall.getBody()->getNumArguments()));
  rewriter.setInsertionPointToEnd(made.getTerminator().getBody());
  for (auto [argument, tile] : llvm::zip_equal(made.getRegionIterArgs().take_back(tiles.size()), tiles)) {
    SmallVector<OpFoldResult> strides(tile.sizes.size(), rewriter.getIndexAttr(1));
    tensor::ParallelInsertSliceOp::create(rewriter, forall.getLoc(), tile.tile, argument, tile.offsets, tile.sizes,
                                          strides);
  }
  rewriter.replaceOp(forall, made->getResults().take_front(forall->getNumResults()));
  return made;
}

SmallVector<Value> TileNest::addResults(RewriterBase &rewriter, ArrayRef<NestTile> tiles) {
  if (tiles.empty())
    return {};
  SmallVector<Value> inits = llvm::map_to_vector(tiles, [](const NestTile &tile) { return tile.init; });
  SmallVector<Value> arguments;
  if (auto forall = dyn_cast<scf::ForallOp>(loops_.front().getOperation())) {
    scf::ForallOp made = addOutputs(rewriter, forall, inits, tiles);
    loops_ = {cast<LoopLikeOpInterface>(made.getOperation())};
    llvm::append_range(arguments, made.getRegionIterArgs().take_back(tiles.size()));
  } else {
    auto nest = llvm::map_to_vector(loops_, [](LoopLikeOpInterface loop) { return cast<scf::ForOp>(loop.getOperation()); });
    auto insertTiles = [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> added) {
      SmallVector<Value> values;
      for (auto [argument, tile] : llvm::zip_equal(added, tiles)) {
        SmallVector<OpFoldResult> strides(tile.sizes.size(), b.getIndexAttr(1));
        arguments.push_back(argument);
        values.push_back(tensor::InsertSliceOp::create(b, loc, tile.tile, argument, tile.offsets, tile.sizes, strides));
      }
      return values;
    };
    SmallVector<scf::ForOp> made = replaceLoopNestWithNewYields(rewriter, nest, inits, insertTiles,
                                                                /*replaceIterOperandsUsesInLoop=*/false);
    // What is left of the old nest would still read the initial values.
    for (Operation *beside : {made.front()->getPrevNode(), made.front()->getNextNode()})
      if (isa_and_nonnull<scf::ForOp>(beside) && isOpTriviallyDead(beside))
        rewriter.eraseOp(beside);
    loops_.clear();
    for (scf::ForOp loop : made)
      loops_.push_back(cast<LoopLikeOpInterface>(loop.getOperation()));
  }
  for (auto [argument, tile] : llvm::zip_equal(arguments, tiles))
    for (tensor::ExtractSliceOp slice : tile.destinations)
      rewriter.modifyOpInPlace(slice, [&] { slice.getSourceMutable().assign(argument); });
  return SmallVector<Value>(loops_.front()->getResults().take_back(tiles.size()));
}

void TileNest::dropUnusedResults(RewriterBase &rewriter) {
  for (auto [number, result] : llvm::enumerate(loops_.front()->getResults())) {
    if (!result.use_empty())
      continue;
    Value init = loops_.front().getInits()[number];
    BlockArgument argument = loops_.back().getRegionIterArgs()[number];
    if (auto forall = dyn_cast<scf::ForallOp>(loops_.front().getOperation())) {
      if (auto insert = insertionOf(forall, number))
        rewriter.eraseOp(insert);
      rewriter.replaceAllUsesWith(argument, init);
      continue;
    }
    rewriter.modifyOpInPlace(end(), [&] { end()->setOperand(number, argument); });
    rewriter.replaceAllUsesExcept(argument, init, end());
  }
}

} // namespace fuselage

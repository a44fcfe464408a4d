#include "core/transforms/tile_and_fuse/TileNest.h"
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
  AffineExpr var =
      min.getMap().getNumDims() == 1 ? getAffineDimExpr(0, min.getContext()) : getAffineSymbolExpr(0, min.getContext());
  AffineExpr whole = getAffineConstantExpr(step, min.getContext());
  ArrayRef<AffineExpr> results = min.getMap().getResults();
  AffineExpr other = results[0] == whole ? results[1] : results[1] == whole ? results[0] : AffineExpr();
  return other && other == -var + end;
}

/// The multiple of one of the loops' induction variables that `offset` is, as (variable, factor).
static std::optional<std::pair<Value, int64_t>> multipleOf(OpFoldResult offset) {
  auto value = dyn_cast<Value>(offset);
  if (!value)
    return std::nullopt;
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, value.getContext());
  SmallVector<Value> operands{value};
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  affine::canonicalizeMapAndOperands(&map, &operands);
  if (operands.size() != 1 || map.getNumResults() != 1)
    return std::nullopt;
  AffineExpr expr = map.getResult(0);
  if (isa<AffineDimExpr, AffineSymbolExpr>(expr))
    return std::pair(operands.front(), int64_t(1));
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul || !isa<AffineDimExpr, AffineSymbolExpr>(product.getLHS()))
    return std::nullopt;
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!factor || factor.getValue() <= 0)
    return std::nullopt;
  return std::pair(operands.front(), factor.getValue());
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
    auto multiple = multipleOf(offset);
    if (!multiple)
      return false;
    Value iv = multiple->first;
    int64_t factor = multiple->second;
    auto *found = llvm::find_if(all, [&](const Dim &dim) { return dim.iv == iv; });
    if (found == all.end() || used.test(found - all.begin()) || extent % factor != 0 || found->end != extent / factor)
      return false;
    // Loops that count tiles have equal ones.
    std::optional<int64_t> length = getConstantIntValue(size);
    bool isWhole = length && found->end % found->step == 0 && *length % factor == 0 && *length / factor == found->step;
    if (!isWhole && (factor != 1 || !isRest(size, iv, found->end, found->step)))
      return false;
    used.set(found - all.begin());
  }
  for (auto [i, dim] : llvm::enumerate(all))
    if (!used.test(i) && dim.end > dim.step)
      return false;
  return true;
}

bool TileNest::readersFollow(Operation *op) const {
  Operation *loop = outermost();
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    Operation *there = loop->getBlock()->findAncestorOpInBlock(*user);
    return isa<tensor::DimOp>(user) || (there && (there == loop ? user != loop : loop->isBeforeInBlock(there)));
  });
}

/// The same loop with `inits` as further outputs.
static scf::ForallOp addOutputs(RewriterBase &rewriter, scf::ForallOp forall, ValueRange inits) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(forall);
  SmallVector<Value> outputs(forall.getOutputs());
  llvm::append_range(outputs, inits);
  auto made = scf::ForallOp::create(rewriter, forall.getLoc(), forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                                    forall.getMixedStep(), outputs, forall.getMapping(),
                                    [](OpBuilder &, Location, ValueRange) {});
  Block *body = made.getBody();
  rewriter.mergeBlocks(forall.getBody(), body, body->getArguments().take_front(forall.getBody()->getNumArguments()));
  rewriter.replaceOp(forall, made->getResults().take_front(forall->getNumResults()));
  return made;
}

/// The same loops with `inits` carried as well; `values` of the innermost body are what they
/// become.
static SmallVector<scf::ForOp> addCarried(RewriterBase &rewriter, MutableArrayRef<scf::ForOp> nest, ValueRange inits,
                                          ArrayRef<Value> values) {
  auto yieldValues = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return SmallVector<Value>(values); };
  SmallVector<scf::ForOp> made = replaceLoopNestWithNewYields(rewriter, nest, inits, yieldValues,
                                                              /*replaceIterOperandsUsesInLoop=*/false);
  // What is left of the old nest would still read the initial values.
  for (Operation *beside : {made.front()->getPrevNode(), made.front()->getNextNode()})
    if (isa_and_nonnull<scf::ForOp>(beside) && isOpTriviallyDead(beside))
      rewriter.eraseOp(beside);
  return made;
}

SmallVector<Value> TileNest::addResults(RewriterBase &rewriter, ArrayRef<NestTile> tiles) {
  if (tiles.empty())
    return {};
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Value> inits = llvm::map_to_vector(tiles, [](const NestTile &tile) { return tile.init; });
  auto forall = dyn_cast<scf::ForallOp>(outermost().getOperation());
  // Inserted first, while the offsets are values of these loops; into what is carried later.
  SmallVector<OpOperand *> destinations;
  SmallVector<Value> inserted;
  rewriter.setInsertionPoint(end());
  if (forall)
    rewriter.setInsertionPointToEnd(forall.getTerminator().getBody());
  for (const NestTile &tile : tiles) {
    Location loc = tile.tile.getLoc();
    SmallVector<OpFoldResult> strides(tile.sizes.size(), rewriter.getIndexAttr(1));
    if (forall) {
      auto insert =
          tensor::ParallelInsertSliceOp::create(rewriter, loc, tile.tile, tile.init, tile.offsets, tile.sizes, strides);
      destinations.push_back(&insert.getDestMutable());
      continue;
    }
    auto insert = tensor::InsertSliceOp::create(rewriter, loc, tile.tile, tile.init, tile.offsets, tile.sizes, strides);
    destinations.push_back(&insert.getDestMutable());
    inserted.push_back(insert);
  }
  if (forall) {
    scf::ForallOp made = addOutputs(rewriter, forall, inits);
    loops_ = {cast<LoopLikeOpInterface>(made.getOperation())};
  } else {
    auto nest =
        llvm::map_to_vector(loops_, [](LoopLikeOpInterface loop) { return cast<scf::ForOp>(loop.getOperation()); });
    SmallVector<scf::ForOp> made = addCarried(rewriter, nest, inits, inserted);
    loops_ = llvm::map_to_vector(made, [](scf::ForOp loop) { return cast<LoopLikeOpInterface>(loop.getOperation()); });
  }
  auto arguments = loops_.back().getRegionIterArgs().take_back(tiles.size());
  for (auto [argument, destination, tile] : llvm::zip_equal(arguments, destinations, tiles)) {
    rewriter.modifyOpInPlace(destination->getOwner(), [&, to = argument, use = destination] { use->set(to); });
    for (tensor::ExtractSliceOp slice : tile.destinations)
      rewriter.modifyOpInPlace(slice, [&, to = argument] { slice.getSourceMutable().assign(to); });
  }
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
    Operation *yielded = end()->getOperand(number).getDefiningOp();
    rewriter.modifyOpInPlace(end(), [&, number = number] { end()->setOperand(number, argument); });
    rewriter.replaceAllUsesExcept(argument, init, end());
    if (yielded && isOpTriviallyDead(yielded))
      rewriter.eraseOp(yielded);
  }
}

} // namespace fuselage

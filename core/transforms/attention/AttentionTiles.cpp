#include "core/transforms/attention/AttentionTiles.h"
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {

/// Where the second contraction stands, and all that is computed between the two.
static Location locate(const Attention &attention) {
  linalg::LinalgOp context = attention.context;
  llvm::SmallSetVector<Operation *, 16> ops;
  ops.insert(context);
  for (size_t next = 0; next < ops.size(); ++next)
    for (Value operand : ops[next]->getOperands())
      if (auto producer = operand.getDefiningOp<linalg::LinalgOp>();
          next == 0
              ? operand == context.getDpsInputs()[attention.probabilities] && producer != nullptr
              : producer && producer != attention.scores && !isContraction(producer) && isOutsideDispatch(producer))
        ops.insert(producer);
  SmallVector<Location> locations;
  for (Operation *op : ops)
    op->walk<WalkOrder::PreOrder>([&](Operation *part) { locations.push_back(part->getLoc()); });
  return FusedLoc::get(context.getContext(), locations);
}

AttentionTiles::AttentionTiles(RewriterBase &rewriter, const Attention &attention)
    : b_(rewriter), attention_(attention), loc_(locate(attention)) {
  classifyDims();
}

//===-- Dimensions --------------------------------------------------------===//

/// Whether `op` reads its operand `operand` along `loop`.
static bool reads(linalg::LinalgOp op, unsigned operand, unsigned loop) {
  AffineExpr dim = getAffineDimExpr(loop, op.getContext());
  return op.getIndexingMapsArray()[operand].getResultPosition(dim).has_value();
}

void AttentionTiles::classifyDims() {
  linalg::LinalgOp scores = attention_.scores, context = attention_.context;
  unsigned rank = attention_.rank();
  scoresLoop_.resize(rank);
  AffineMap written = scores.getIndexingMapsArray().back();
  for (auto [position, dim] : llvm::enumerate(attention_.scoresMap.getResults()))
    scoresLoop_[cast<AffineDimExpr>(dim).getPosition()] =
        cast<AffineDimExpr>(written.getResult(position)).getPosition();
  for (AffineExpr loop : attention_.contextMap().getResults())
    contextLoop_.push_back(cast<AffineDimExpr>(loop).getPosition());
  // Rows that keys or values depend on are heads and sentences; the last of the others is tiled.
  keysOperand_ = reads(scores, 0, scoresLoop_[attention_.keyDims.find_first()]) ? 0 : 1;
  std::optional<unsigned> queryDim;
  isBatch_.assign(rank, true);
  for (unsigned dim : attention_.keyDims.set_bits())
    isBatch_[dim] = false;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (!attention_.isKey(dim) && !reads(scores, keysOperand_, scoresLoop_[dim]) &&
        !reads(context, 1 - attention_.probabilities, contextLoop_[dim]))
      queryDim = dim;
  if (queryDim)
    isBatch_[*queryDim] = false;
}

OpFoldResult AttentionTiles::extentOf(linalg::LinalgOp op, unsigned loop) {
  AffineExpr dim = getAffineDimExpr(loop, op.getContext());
  for (OpOperand *input : op.getDpsInputOperands()) {
    // The probabilities are not to be computed any more.
    if (op == attention_.context && input->getOperandNumber() == attention_.probabilities)
      continue;
    if (auto position = op.getMatchingIndexingMap(input).getResultPosition(dim))
      return tensor::getMixedSize(b_, loc_, input->get(), *position);
  }
  return {};
}

OpFoldResult AttentionTiles::spaceExtent(unsigned dim) { return extentOf(attention_.scores, scoresLoop_[dim]); }

/// The tile at `block`; the last one may be smaller.
AttentionTile AttentionTiles::tileAt(OpFoldResult extent, int64_t tile, Value block) {
  AffineExpr index = b_.getAffineDimExpr(0), end = b_.getAffineSymbolExpr(0);
  Tile result;
  result.offset = affine::makeComposedFoldedAffineApply(b_, loc_, index * tile, {OpFoldResult(block)});
  std::optional<int64_t> size = getConstantIntValue(extent);
  if (size && *size % tile == 0) {
    result.size = b_.getIndexAttr(tile);
    return result;
  }
  AffineMap map = AffineMap::get(1, 1, {b_.getAffineConstantExpr(tile), end - index}, b_.getContext());
  result.size = affine::makeComposedFoldedAffineMin(b_, loc_, map, {result.offset, extent});
  return result;
}

int64_t pickStep(OpFoldResult extent, int64_t target) {
  std::optional<int64_t> size = getConstantIntValue(extent);
  if (!size)
    return target;
  int64_t divisor = largestDivisor(*size, target);
  return *size <= target ? *size : (divisor * 4 >= target ? divisor : target);
}

/// The tiles of an op's loops; loops outside of the space are whole.
SmallVector<AttentionTile> AttentionTiles::loopTiles(linalg::LinalgOp op, ArrayRef<unsigned> loopOfDim) {
  SmallVector<Tile> tiles(op.getNumLoops());
  for (auto [dim, loop] : llvm::enumerate(loopOfDim))
    tiles[loop] = space_[dim];
  for (auto [loop, tile] : llvm::enumerate(tiles))
    if (!tile.size)
      tile = {.offset = b_.getIndexAttr(0), .size = extentOf(op, loop)};
  return tiles;
}

AffineMap keptMap(AffineMap map, ArrayRef<AttentionTile> tiles) {
  llvm::SmallBitVector dropped(tiles.size());
  for (auto [loop, tile] : llvm::enumerate(tiles))
    dropped[loop] = !tile.isKept;
  return projectDims(map, dropped, /*compressDimsFlag=*/true).dropZeroResults();
}

/// From the loops of an op to the space, as keptMap.
AffineMap AttentionTiles::tileMap(ArrayRef<unsigned> loopOfDim, ArrayRef<AttentionTile> tiles) {
  SmallVector<AffineExpr> results;
  for (unsigned loop : loopOfDim)
    results.push_back(b_.getAffineDimExpr(loop));
  return keptMap(AffineMap::get(tiles.size(), 0, results, b_.getContext()), tiles);
}

SmallVector<OpFoldResult> AttentionTiles::keptSizes(ArrayRef<AttentionTile> tiles,
                                                    const llvm::SmallBitVector &without) {
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, tile] : llvm::enumerate(tiles))
    if (tile.isKept && (without.empty() || !without.test(dim)))
      sizes.push_back(tile.size);
  return sizes;
}

//===-- Ops on tiles ------------------------------------------------------===//

Value castFloat(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (cast<FloatType>(type).getWidth() > cast<FloatType>(value.getType()).getWidth())
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::TruncFOp::create(b, loc, type, value);
}

Value AttentionTiles::slice(Value tensor, AffineMap map, ArrayRef<AttentionTile> tiles) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> offsets, sizes, strides(type.getRank(), b_.getIndexAttr(1));
  SmallVector<int64_t> shape;
  bool isWhole = true;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    const Tile &tile = tiles[cast<AffineDimExpr>(expr).getPosition()];
    offsets.push_back(tile.offset);
    sizes.push_back(tile.size);
    std::optional<int64_t> size = getConstantIntValue(tile.size);
    isWhole &= tile.isKept && isZeroInteger(tile.offset) && size && *size == type.getDimSize(dim);
    if (tile.isKept)
      shape.push_back(size.value_or(ShapedType::kDynamic));
  }
  if (isWhole)
    return tensor;
  auto sliced = RankedTensorType::get(shape, type.getElementType());
  return tensor::ExtractSliceOp::create(b_, loc_, sliced, tensor, offsets, sizes, strides);
}

Value AttentionTiles::empty(ArrayRef<OpFoldResult> sizes, Type element) {
  return tensor::EmptyOp::create(b_, loc_, sizes, element);
}

Value AttentionTiles::filled(ArrayRef<OpFoldResult> sizes, TypedAttr element) {
  Value scalar = arith::ConstantOp::create(b_, loc_, element);
  return linalg::FillOp::create(b_, loc_, scalar, empty(sizes, element.getType())).getResult(0);
}

/// A linalg.generic on tiles; loops that the result does not have are reductions.
Value AttentionTiles::generic(ValueRange inputs, ArrayRef<AffineMap> maps, Value init, AffineMap initMap, Body body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(initMap);
  SmallVector<utils::IteratorType> iterators;
  for (unsigned loop = 0; loop < initMap.getNumDims(); ++loop)
    iterators.push_back(initMap.getResultPosition(b_.getAffineDimExpr(loop)) ? utils::IteratorType::parallel
                                                                             : utils::IteratorType::reduction);
  auto op = linalg::GenericOp::create(b_, loc_, init.getType(), inputs, init, all, iterators,
                                      [&](OpBuilder &b, Location loc, ValueRange arguments) {
                                        Value result = body(b, arguments);
                                        linalg::YieldOp::create(b, loc, result);
                                      });
  return op.getResult(0);
}

/// The payload of a contraction on tiles of its operands.
Value AttentionTiles::tiledContraction(linalg::LinalgOp op, ArrayRef<AttentionTile> tiles, ValueRange inputs,
                                       ArrayRef<AffineMap> maps, Value init) {
  SmallVector<utils::IteratorType> iterators;
  for (auto [tile, iterator] : llvm::zip_equal(tiles, op.getIteratorTypesArray()))
    if (tile.isKept)
      iterators.push_back(iterator);
  auto tiled = linalg::GenericOp::create(b_, op.getLoc(), init.getType(), inputs, init, maps, iterators);
  OpBuilder::InsertionGuard guard(b_);
  b_.cloneRegionBefore(*op.getBlock()->getParent(), tiled.getRegion(), tiled.getRegion().begin());
  (void)widenBody(b_, *tiled.getBody(), inputs.size(), getElementTypeOrSelf(init.getType()));
  return tiled.getResult(0);
}

/// What a linalg.index at `index` of the space is on a tile.
static Value indexOnTile(OpBuilder &b, Location loc, AffineExpr index, ArrayRef<AttentionTile> tiles) {
  if (auto constant = dyn_cast<AffineConstantExpr>(index))
    return arith::ConstantIndexOp::create(b, loc, constant.getValue());
  unsigned dim = cast<AffineDimExpr>(index).getPosition();
  Value offset = getValueOrCreateConstantIndexOp(b, loc, tiles[dim].offset);
  if (!tiles[dim].isKept)
    return offset;
  unsigned position = llvm::count_if(tiles.take_front(dim), [](const AttentionTile &tile) { return tile.isKept; });
  Value inside = linalg::IndexOp::create(b, loc, position);
  return arith::AddIOp::create(b, loc, offset, inside);
}

Value AttentionTiles::computed(const TensorExpr &expr, Type element, ArrayRef<Tile> tiles, const TensorExpr *known,
                               Value knownTile) {
  AffineMap identity = b_.getMultiDimIdentityMap(keptSizes(tiles).size());
  SmallVector<const TensorExpr *> leaves = tensorLeaves(expr);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (const TensorExpr *leaf : leaves) {
    bool isKnown = known && leaf->value == known->value && leaf->map == known->map;
    operands.push_back(isKnown ? knownTile : slice(leaf->value, leaf->map, tiles));
    maps.push_back(isKnown ? identity : keptMap(leaf->map, tiles));
  }
  return generic(operands, maps, empty(keptSizes(tiles), element), identity, [&](OpBuilder &b, ValueRange arguments) {
    Value value = emitExpr(b, expr, [&](const TensorExpr &wanted) -> Value {
      if (wanted.index)
        return indexOnTile(b, loc_, wanted.index, tiles);
      for (auto [leaf, argument] : llvm::zip(leaves, arguments))
        if (leaf->value == wanted.value && leaf->map == wanted.map)
          return isa<FloatType>(argument.getType())
                     ? castFloat(b, loc_, argument, getElementTypeOrSelf(leaf->value.getType()))
                     : argument;
      return {};
    });
    return isa<FloatType>(value.getType()) ? castFloat(b, loc_, value, element) : value;
  });
}

} // namespace fuselage

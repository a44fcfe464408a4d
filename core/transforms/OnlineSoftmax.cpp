#include "core/transforms/OnlineSoftmax.h"
#include "core/dialects/Flow.h"
#include "core/transforms/TilingPolicy.h"
#include "core/transforms/WorkgroupTiling.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace fuselage {
namespace {

/// What one dimension of the space, or one loop, covers at a time. Dimensions that are not kept have
/// one element, and tiles do not have them.
struct Tile {
  OpFoldResult offset, size;
  bool isKept = true;
};

class OnlineSoftmax {
public:
  OnlineSoftmax(RewriterBase &rewriter, const Attention &attention, const OnlineSoftmaxOptions &options)
      : b_(rewriter), loc_(attention.context->getLoc()), attention_(attention), options_(options) {}
  Operation *build();

private:
  using Body = llvm::function_ref<Value(OpBuilder &, ValueRange)>;

  void classifyDims();
  OpFoldResult extentOf(linalg::LinalgOp op, unsigned loop);
  OpFoldResult spaceExtent(unsigned dim);
  Tile tileAt(OpFoldResult extent, int64_t tile, Value block);
  SmallVector<Tile> loopTiles(linalg::LinalgOp op, ArrayRef<unsigned> loopOfDim);
  Value slice(Value tensor, AffineMap map, ArrayRef<Tile> tiles);
  Value filled(ArrayRef<OpFoldResult> sizes, TypedAttr element);
  Value generic(ValueRange inputs, ArrayRef<AffineMap> maps, Value init, AffineMap initMap, Body body);
  Value empty(ArrayRef<OpFoldResult> sizes, Type element);
  Value tiledContraction(linalg::LinalgOp op, ArrayRef<Tile> tiles, ValueRange inputs,
                         ArrayRef<AffineMap> maps, Value init);
  SmallVector<OpFoldResult> keptSizes(ArrayRef<Tile> tiles, std::optional<unsigned> without = {});
  AffineMap tileMap(ArrayRef<unsigned> loopOfDim, ArrayRef<Tile> tiles);
  void buildWorkgroup(scf::ForallOp forall);
  SmallVector<Value> buildStep(ValueRange carried);
  Value logitsTile();
  Value exponential(OpBuilder &b, Value value);

  RewriterBase &b_;
  Location loc_;
  const Attention &attention_;
  const OnlineSoftmaxOptions &options_;
  SmallVector<unsigned> scoresLoop_, contextLoop_; // by dimension of the space
  SmallVector<bool> isBatch_;                      // by dimension of the space
  std::optional<unsigned> queryDim_;
  SmallVector<Tile> space_;
  FloatType type_; // of the logits, and of the maximum and the sum
};

} // namespace

//===-- Dimensions --------------------------------------------------------===//

/// Whether `op` reads its operand `operand` along `loop`.
static bool reads(linalg::LinalgOp op, unsigned operand, unsigned loop) {
  AffineExpr dim = getAffineDimExpr(loop, op.getContext());
  return op.getIndexingMapsArray()[operand].getResultPosition(dim).has_value();
}

void OnlineSoftmax::classifyDims() {
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
  unsigned keys = reads(scores, 0, scoresLoop_[attention_.keyDim]) ? 0 : 1;
  isBatch_.assign(rank, true);
  isBatch_[attention_.keyDim] = false;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (dim != attention_.keyDim && !reads(scores, keys, scoresLoop_[dim]) &&
        !reads(context, 1 - attention_.probabilities, contextLoop_[dim]))
      queryDim_ = dim;
  if (queryDim_)
    isBatch_[*queryDim_] = false;
}

OpFoldResult OnlineSoftmax::extentOf(linalg::LinalgOp op, unsigned loop) {
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

OpFoldResult OnlineSoftmax::spaceExtent(unsigned dim) {
  return extentOf(attention_.scores, scoresLoop_[dim]);
}

/// The tile at `block`; the last one may be smaller.
Tile OnlineSoftmax::tileAt(OpFoldResult extent, int64_t tile, Value block) {
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

/// A divisor near the target, else the target itself.
static int64_t pickStep(OpFoldResult extent, int64_t target) {
  std::optional<int64_t> size = getConstantIntValue(extent);
  if (!size)
    return target;
  int64_t divisor = largestDivisor(*size, target);
  return *size <= target ? *size : (divisor * 4 >= target ? divisor : target);
}

/// The tiles of an op's loops; loops outside of the space are whole.
SmallVector<Tile> OnlineSoftmax::loopTiles(linalg::LinalgOp op, ArrayRef<unsigned> loopOfDim) {
  SmallVector<Tile> tiles(op.getNumLoops());
  for (auto [dim, loop] : llvm::enumerate(loopOfDim))
    tiles[loop] = space_[dim];
  for (auto [loop, tile] : llvm::enumerate(tiles))
    if (!tile.size)
      tile = {.offset = b_.getIndexAttr(0), .size = extentOf(op, loop)};
  return tiles;
}

/// The map of an operand on the kept loops to its kept dimensions.
static AffineMap keptMap(AffineMap map, ArrayRef<Tile> tiles) {
  SmallVector<AffineExpr> results;
  SmallVector<unsigned> position(tiles.size());
  unsigned kept = 0;
  for (auto [loop, tile] : llvm::enumerate(tiles))
    position[loop] = tile.isKept ? kept++ : 0;
  for (AffineExpr expr : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (tiles[loop].isKept)
      results.push_back(getAffineDimExpr(position[loop], map.getContext()));
  }
  return AffineMap::get(kept, 0, results, map.getContext());
}

/// From the loops of an op to the space, as keptMap.
AffineMap OnlineSoftmax::tileMap(ArrayRef<unsigned> loopOfDim, ArrayRef<Tile> tiles) {
  SmallVector<AffineExpr> results;
  for (unsigned loop : loopOfDim)
    results.push_back(b_.getAffineDimExpr(loop));
  return keptMap(AffineMap::get(tiles.size(), 0, results, b_.getContext()), tiles);
}

SmallVector<OpFoldResult> OnlineSoftmax::keptSizes(ArrayRef<Tile> tiles,
                                                   std::optional<unsigned> without) {
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, tile] : llvm::enumerate(tiles))
    if (tile.isKept && dim != without)
      sizes.push_back(tile.size);
  return sizes;
}

//===-- Ops on tiles ------------------------------------------------------===//

Value OnlineSoftmax::slice(Value tensor, AffineMap map, ArrayRef<Tile> tiles) {
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

Value OnlineSoftmax::empty(ArrayRef<OpFoldResult> sizes, Type element) {
  return tensor::EmptyOp::create(b_, loc_, sizes, element);
}

Value OnlineSoftmax::filled(ArrayRef<OpFoldResult> sizes, TypedAttr element) {
  Value scalar = arith::ConstantOp::create(b_, loc_, element);
  return linalg::FillOp::create(b_, loc_, scalar, empty(sizes, element.getType())).getResult(0);
}

/// A linalg.generic on tiles; loops that the result does not have are reductions.
Value OnlineSoftmax::generic(ValueRange inputs, ArrayRef<AffineMap> maps, Value init,
                             AffineMap initMap, Body body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(initMap);
  SmallVector<utils::IteratorType> iterators;
  for (unsigned loop = 0; loop < initMap.getNumDims(); ++loop)
    iterators.push_back(initMap.getResultPosition(b_.getAffineDimExpr(loop))
                            ? utils::IteratorType::parallel
                            : utils::IteratorType::reduction);
  auto op = linalg::GenericOp::create(b_, loc_, init.getType(), inputs, init, all, iterators,
                                      [&](OpBuilder &b, Location loc, ValueRange arguments) {
                                        Value result = body(b, arguments);
                                        linalg::YieldOp::create(b, loc, result);
                                      });
  return op.getResult(0);
}

/// The payload of a contraction on tiles of its operands.
Value OnlineSoftmax::tiledContraction(linalg::LinalgOp op, ArrayRef<Tile> tiles, ValueRange inputs,
                                      ArrayRef<AffineMap> maps, Value init) {
  SmallVector<utils::IteratorType> iterators;
  for (auto [tile, iterator] : llvm::zip_equal(tiles, op.getIteratorTypesArray()))
    if (tile.isKept)
      iterators.push_back(iterator);
  auto tiled =
      linalg::GenericOp::create(b_, op.getLoc(), init.getType(), inputs, init, maps, iterators);
  OpBuilder::InsertionGuard guard(b_);
  b_.cloneRegionBefore(*op.getBlock()->getParent(), tiled.getRegion(), tiled.getRegion().begin());
  return tiled.getResult(0);
}

/// `value` in another float type.
static Value castFloat(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (cast<FloatType>(type).getWidth() > cast<FloatType>(value.getType()).getWidth())
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::TruncFOp::create(b, loc, type, value);
}

Value OnlineSoftmax::exponential(OpBuilder &b, Value value) {
  if (isa_and_nonnull<math::Exp2Op>(attention_.exponential))
    return math::Exp2Op::create(b, loc_, value);
  return math::ExpOp::create(b, loc_, value);
}

//===-- The dispatch ------------------------------------------------------===//

/// The logits of the current tile, in the order of the space.
Value OnlineSoftmax::logitsTile() {
  linalg::LinalgOp scores = attention_.scores;
  SmallVector<Tile> tiles = loopTiles(scores, scoresLoop_);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : scores.getDpsInputOperands()) {
    AffineMap map = scores.getMatchingIndexingMap(input);
    inputs.push_back(slice(input->get(), map, tiles));
    maps.push_back(keptMap(map, tiles));
  }
  maps.push_back(tileMap(scoresLoop_, tiles));
  Type element = cast<RankedTensorType>(scores->getResult(0).getType()).getElementType();
  Value init = filled(keptSizes(space_), cast<TypedAttr>(b_.getZeroAttr(element)));
  Value product = tiledContraction(scores, tiles, inputs, maps, init);

  const TensorExpr &logits = *attention_.logits;
  AffineMap identity = b_.getMultiDimIdentityMap(keptSizes(space_).size());
  SmallVector<const TensorExpr *> leaves = tensorLeaves(logits);
  SmallVector<Value> operands;
  SmallVector<AffineMap> operandMaps;
  for (const TensorExpr *leaf : leaves) {
    bool isProduct = leaf->value == scores->getResult(0) && leaf->map == attention_.scoresMap;
    operands.push_back(isProduct ? product : slice(leaf->value, leaf->map, space_));
    operandMaps.push_back(isProduct ? identity : keptMap(leaf->map, space_));
  }
  if (logits.isTensor())
    return product;
  return generic(operands, operandMaps, empty(keptSizes(space_), type_), identity,
                 [&](OpBuilder &b, ValueRange arguments) {
                   return emitExpr(b, logits, [&](const TensorExpr &wanted) -> Value {
                     for (auto [leaf, argument] : llvm::zip(leaves, arguments))
                       if (leaf->value == wanted.value && leaf->map == wanted.map)
                         return argument;
                     return {};
                   });
                 });
}

/// One tile of keys; `carried` and the results are the maximum, the sum and the context.
SmallVector<Value> OnlineSoftmax::buildStep(ValueRange carried) {
  Value oldMax = carried[0], oldSum = carried[1], oldContext = carried[2];
  Value logits = logitsTile();
  SmallVector<OpFoldResult> sizes = keptSizes(space_);
  SmallVector<OpFoldResult> rowSizes = keptSizes(space_, attention_.keyDim);
  unsigned key = llvm::count_if(ArrayRef(space_).take_front(attention_.keyDim),
                                [](const Tile &tile) { return tile.isKept; });
  AffineMap identity = b_.getMultiDimIdentityMap(sizes.size());
  AffineMap rows = identity.dropResult(key);
  AffineMap rowIdentity = b_.getMultiDimIdentityMap(rowSizes.size());

  // What is carried is updated in place: each old value has one reader that is no update, in front of
  // its update. Then the loop needs no second buffers.
  auto lowest = APFloat::getLargest(type_.getFloatSemantics(), /*Negative=*/true);
  Value tileMax = generic(logits, identity, filled(rowSizes, b_.getFloatAttr(type_, lowest)), rows,
                          [&](OpBuilder &b, ValueRange arguments) -> Value {
                            return arith::MaximumFOp::create(b, loc_, arguments[0], arguments[1]);
                          });
  Value decay = generic({oldMax, tileMax}, {rowIdentity, rowIdentity}, empty(rowSizes, type_),
                        rowIdentity, [&](OpBuilder &b, ValueRange arguments) {
                          Value max = arith::MaximumFOp::create(b, loc_, arguments[0], arguments[1]);
                          return exponential(b, arith::SubFOp::create(b, loc_, arguments[0], max));
                        });
  Value newMax = generic(tileMax, rowIdentity, oldMax, rowIdentity,
                         [&](OpBuilder &b, ValueRange arguments) -> Value {
                           return arith::MaximumFOp::create(b, loc_, arguments[1], arguments[0]);
                         });
  Value weights = generic({logits, newMax}, {identity, rows}, empty(sizes, type_), identity,
                          [&](OpBuilder &b, ValueRange arguments) {
                            return exponential(
                                b, arith::SubFOp::create(b, loc_, arguments[0], arguments[1]));
                          });
  Value scaledSum = generic(decay, rowIdentity, oldSum, rowIdentity,
                            [&](OpBuilder &b, ValueRange arguments) -> Value {
                              return arith::MulFOp::create(b, loc_, arguments[1], arguments[0]);
                            });
  Value newSum = generic(weights, identity, scaledSum, rows,
                         [&](OpBuilder &b, ValueRange arguments) -> Value {
                           return arith::AddFOp::create(b, loc_, arguments[1], arguments[0]);
                         });

  linalg::LinalgOp context = attention_.context;
  SmallVector<Tile> tiles = loopTiles(context, contextLoop_);
  AffineMap written = keptMap(context.getIndexingMapsArray().back(), tiles);
  AffineMap toSpace = tileMap(contextLoop_, tiles);
  auto contextType = cast<RankedTensorType>(oldContext.getType());
  // From the dimensions of the context to its rows.
  AffineMap contextRows = rows.compose(toSpace).compose(inverseAndBroadcastProjectedPermutation(written));
  AffineMap contextIdentity = b_.getMultiDimIdentityMap(contextType.getRank());
  Value scaledContext = generic(decay, contextRows, oldContext, contextIdentity,
                                [&](OpBuilder &b, ValueRange arguments) -> Value {
                                  Value factor =
                                      castFloat(b, loc_, arguments[0], arguments[1].getType());
                                  return arith::MulFOp::create(b, loc_, arguments[1], factor);
                                });
  if (!attention_.casts.empty())
    weights = generic(weights, identity,
                      empty(sizes, attention_.casts.back()->getResult(0).getType()), identity,
                      [&](OpBuilder &b, ValueRange arguments) {
                        Value value = arguments[0];
                        for (Operation *cast : attention_.casts) {
                          IRMapping mapping;
                          mapping.map(cast->getOperand(0), value);
                          value = b.clone(*cast, mapping)->getResult(0);
                        }
                        return value;
                      });
  SmallVector<Value> inputs(2);
  SmallVector<AffineMap> maps(2);
  unsigned values = 1 - attention_.probabilities;
  inputs[attention_.probabilities] = weights;
  maps[attention_.probabilities] = toSpace;
  AffineMap valuesMap = context.getIndexingMapsArray()[values];
  inputs[values] = slice(context.getDpsInputs()[values], valuesMap, tiles);
  maps[values] = keptMap(valuesMap, tiles);
  maps.push_back(written);
  Value newContext = tiledContraction(context, tiles, inputs, maps, scaledContext);
  return {newMax, newSum, newContext};
}

/// The rows of one workgroup.
void OnlineSoftmax::buildWorkgroup(scf::ForallOp forall) {
  linalg::LinalgOp context = attention_.context;
  unsigned block = 0;
  space_.assign(attention_.rank(), Tile());
  for (unsigned dim = 0; dim < attention_.rank(); ++dim) {
    if (dim == attention_.keyDim)
      continue;
    Value index = forall.getInductionVar(block++);
    if (isBatch_[dim])
      space_[dim] = {.offset = index, .size = b_.getIndexAttr(1), .isKept = false};
    else
      space_[dim] = tileAt(spaceExtent(dim), pickStep(spaceExtent(dim), options_.queryTile), index);
  }
  OpFoldResult keys = spaceExtent(attention_.keyDim);
  space_[attention_.keyDim] = {.offset = b_.getIndexAttr(0), .size = keys};

  SmallVector<OpFoldResult> rowSizes = keptSizes(space_, attention_.keyDim);
  SmallVector<Tile> tiles = loopTiles(context, contextLoop_);
  AffineMap written = context.getIndexingMapsArray().back();
  SmallVector<OpFoldResult> offsets, sizes, contextSizes;
  for (AffineExpr expr : written.getResults()) {
    const Tile &tile = tiles[cast<AffineDimExpr>(expr).getPosition()];
    offsets.push_back(tile.offset);
    sizes.push_back(tile.size);
    if (tile.isKept)
      contextSizes.push_back(tile.size);
  }
  auto type = cast<RankedTensorType>(context->getResult(0).getType());
  // The lowest number, not minus infinity: where all keys so far are masked by minus infinity, the
  // difference of two infinities would spoil the row.
  APFloat lowest = APFloat::getLargest(type_.getFloatSemantics(), /*Negative=*/true);
  SmallVector<Value> start{
      filled(rowSizes, b_.getFloatAttr(type_, lowest)), filled(rowSizes, b_.getFloatAttr(type_, 0.0)),
      filled(contextSizes, cast<TypedAttr>(b_.getZeroAttr(type.getElementType())))};

  int64_t step = pickStep(keys, options_.keyTile);
  Value zero = arith::ConstantIndexOp::create(b_, loc_, 0);
  Value one = arith::ConstantIndexOp::create(b_, loc_, 1);
  Value steps = getValueOrCreateConstantIndexOp(
      b_, loc_,
      affine::makeComposedFoldedAffineApply(b_, loc_, b_.getAffineSymbolExpr(0).ceilDiv(step), {keys}));
  auto loop = scf::ForOp::create(b_, loc_, zero, steps, one, start);
  {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    space_[attention_.keyDim] = tileAt(keys, step, loop.getInductionVar());
    scf::YieldOp::create(b_, loc_, buildStep(loop.getRegionIterArgs()));
  }

  // Only now the division by the sum of each row.
  space_[attention_.keyDim] = {.offset = b_.getIndexAttr(0), .size = keys};
  AffineMap contextWritten = keptMap(written, tiles);
  SmallVector<unsigned> rowLoops;
  for (unsigned dim = 0; dim < attention_.rank(); ++dim)
    if (dim != attention_.keyDim)
      rowLoops.push_back(contextLoop_[dim]);
  AffineMap rows =
      tileMap(rowLoops, tiles).compose(inverseAndBroadcastProjectedPermutation(contextWritten));
  AffineMap identity = b_.getMultiDimIdentityMap(contextSizes.size());
  Value result = generic({loop.getResult(2), loop.getResult(1)}, {identity, rows},
                         empty(contextSizes, type.getElementType()), identity,
                         [&](OpBuilder &b, ValueRange arguments) {
                           Value sum = castFloat(b, loc_, arguments[1], arguments[0].getType());
                           return arith::DivFOp::create(b, loc_, arguments[0], sum).getResult();
                         });
  SmallVector<OpFoldResult> strides(sizes.size(), b_.getIndexAttr(1));
  b_.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b_, loc_, result, forall.getRegionIterArgs()[0], offsets, sizes,
                                        strides);
}

/// A name such as `attention_12x128x64x128`: rows, columns of the values, keys.
static std::string nameOf(const Attention &attention) {
  std::string name = "attention_";
  linalg::LinalgOp context = attention.context;
  SmallVector<int64_t> ranges = context.getStaticLoopRanges();
  for (auto [loop, range] : llvm::enumerate(ranges))
    name += (loop ? "x" : "") + (ShapedType::isDynamic(range) ? "D" : std::to_string(range));
  return name;
}

Operation *OnlineSoftmax::build() {
  linalg::LinalgOp context = attention_.context;
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPoint(context);
  classifyDims();
  type_ = cast<FloatType>(attention_.logits->isTensor()
                              ? getElementTypeOrSelf(attention_.logits->value.getType())
                              : attention_.logits->op->getResult(attention_.logits->result).getType());
  auto type = cast<RankedTensorType>(context->getResult(0).getType());
  SmallVector<OpFoldResult> sizes;
  SmallVector<Value> dynamicSizes;
  for (auto [dim, expr] : llvm::enumerate(context.getIndexingMapsArray().back().getResults())) {
    sizes.push_back(extentOf(context, cast<AffineDimExpr>(expr).getPosition()));
    if (!sizes.back()) // only the probabilities have it: a row
      for (unsigned space = 0; space < attention_.rank(); ++space)
        if (contextLoop_[space] == cast<AffineDimExpr>(expr).getPosition())
          sizes.back() = spaceExtent(space);
    if (type.isDynamicDim(dim))
      dynamicSizes.push_back(getValueOrCreateConstantIndexOp(b_, loc_, sizes.back()));
  }
  Location named = NameLoc::get(b_.getStringAttr(nameOf(attention_)), context.getLoc());
  auto region = flow::DispatchRegionOp::create(b_, named, TypeRange(type), dynamicSizes);
  Block *body = &region.getBody().front();
  b_.setInsertionPointToEnd(body);
  SmallVector<OpFoldResult> counts;
  SmallVector<int64_t> staticCounts;
  for (unsigned dim = 0; dim < attention_.rank(); ++dim) {
    if (dim == attention_.keyDim)
      continue;
    int64_t tile = isBatch_[dim] ? 1 : pickStep(spaceExtent(dim), options_.queryTile);
    counts.push_back(affine::makeComposedFoldedAffineApply(
        b_, loc_, b_.getAffineSymbolExpr(0).ceilDiv(tile), {spaceExtent(dim)}));
    staticCounts.push_back(getConstantIntValue(counts.back()).value_or(1));
  }
  if (counts.empty()) {
    counts.push_back(b_.getIndexAttr(1));
    staticCounts.push_back(1);
  }
  Value init = empty(sizes, type.getElementType());
  auto forall =
      scf::ForallOp::create(b_, loc_, counts, ValueRange(init),
                            b_.getArrayAttr(blockMapping(b_.getContext(), staticCounts)));
  b_.setInsertionPointToStart(forall.getBody());
  buildWorkgroup(forall);
  b_.setInsertionPointToEnd(body);
  flow::ReturnOp::create(b_, loc_, forall.getResults());
  b_.replaceOp(context, region.getResults());
  return region;
}

Operation *buildOnlineSoftmax(RewriterBase &rewriter, const Attention &attention,
                              const OnlineSoftmaxOptions &options) {
  return OnlineSoftmax(rewriter, attention, options).build();
}

} // namespace fuselage

#include "core/transforms/attention/AttentionLoops.h"
#include "core/dialects/flow/Flow.h"
#include "core/transforms/attention/AttentionTiles.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/transforms/workgroups/sums/WideSums.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace fuselage {
namespace {

class OnlineSoftmax : AttentionTiles {
public:
  OnlineSoftmax(RewriterBase &rewriter, const Attention &attention, const OnlineSoftmaxOptions &options)
      : AttentionTiles(rewriter, attention), isAsked_(options.queryTile > 0 || options.keyTile > 0),
        queryTile_(options.queryTile > 0 ? options.queryTile : usualTile),
        keyTile_(options.keyTile > 0 ? options.keyTile : usualTile) {}
  Operation *build();

private:
  void buildWorkgroup(scf::ForallOp forall);
  RankedTensorType resultType();
  SmallVector<Value> buildStep(ValueRange carried);
  int64_t innerKeys();
  void prepareQueries();
  Value logitsTile();
  Value exponential(OpBuilder &b, Value value);

  static constexpr int64_t usualTile = 32;
  bool isAsked_;
  int64_t queryTile_, keyTile_;
  FloatType type_; // of the logits, and of the maximum and the sum
  Value queries_;  // a tile, where it is computed here
};

} // namespace

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
    bool isPrepared = queries_ && input->getOperandNumber() != keysOperand_;
    inputs.push_back(isPrepared ? queries_ : slice(input->get(), map, tiles));
    maps.push_back(keptMap(map, tiles));
  }
  maps.push_back(tileMap(scoresLoop_, tiles));
  Type element = accumulatorTypeOf(cast<RankedTensorType>(scores->getResult(0).getType()).getElementType());
  Value init = filled(keptSizes(space_), cast<TypedAttr>(b_.getZeroAttr(element)));
  Value product = tiledContraction(scores, tiles, inputs, maps, init);

  if (attention_.logits->isTensor())
    return product;
  TensorExpr known;
  known.value = scores->getResult(0);
  known.map = attention_.scoresMap;
  return computed(*attention_.logits, type_, space_, &known, product);
}

/// Computes the tile of the queries where that is an elementwise matter of the attention alone, such as a
/// scale: once for all keys.
void OnlineSoftmax::prepareQueries() {
  linalg::LinalgOp scores = attention_.scores;
  OpOperand &queries = scores->getOpOperand(1 - keysOperand_);
  Operation *producer = queries.get().getDefiningOp();
  AffineMap read = scores.getMatchingIndexingMap(&queries);
  bool readsKeys =
      llvm::any_of(attention_.keyDims.set_bits(), [&](unsigned dim) { return read.isFunctionOfDim(scoresLoop_[dim]); });
  auto followsRoot = [](Value value) {
    Operation *source = value.getDefiningOp();
    return source && isComputeOp(source) && isRootKind(kindOf(source));
  };
  if (!producer || !isElementwiseOp(producer) || !isOutsideDispatch(producer) || !producer->hasOneUse() ||
      isCheapProducer(producer) || readsKeys || llvm::any_of(producer->getOperands(), followsRoot))
    return;
  auto type = cast<RankedTensorType>(queries.get().getType());
  TensorExpr::Ref expr = exprOf(queries.get(), b_.getMultiDimIdentityMap(type.getRank()));
  if (!expr || expr->isTensor() ||
      llvm::any_of(tensorLeaves(*expr), [](const TensorExpr *leaf) { return !leaf->map.isProjectedPermutation(); }))
    return;
  SmallVector<Tile> loops = loopTiles(scores, scoresLoop_), tiles;
  for (AffineExpr dim : read.getResults())
    tiles.push_back(loops[cast<AffineDimExpr>(dim).getPosition()]);
  queries_ = computed(*expr, type.getElementType(), tiles);
}

/// One tile of keys; `carried` and the results are the maximum, the sum and the context.
SmallVector<Value> OnlineSoftmax::buildStep(ValueRange carried) {
  Value oldMax = carried[0], oldSum = carried[1], oldContext = carried[2];
  Value logits = logitsTile();
  SmallVector<OpFoldResult> sizes = keptSizes(space_);
  SmallVector<OpFoldResult> rowSizes = keptSizes(space_, attention_.keyDims);
  llvm::SmallBitVector keys; // among what is kept
  for (auto [dim, tile] : llvm::enumerate(space_))
    if (tile.isKept)
      keys.push_back(attention_.isKey(dim));
  AffineMap identity = b_.getMultiDimIdentityMap(sizes.size());
  AffineMap rows = identity.dropResults(keys);
  AffineMap rowIdentity = b_.getMultiDimIdentityMap(rowSizes.size());

  // What is carried is updated in place: each old value has one reader that is no update, in front of
  // its update. Then the loop needs no second buffers.
  auto lowest = APFloat::getLargest(type_.getFloatSemantics(), /*Negative=*/true);
  Value tileMax = generic(logits, identity, filled(rowSizes, b_.getFloatAttr(type_, lowest)), rows,
                          [&](OpBuilder &b, ValueRange arguments) -> Value {
                            return arith::MaximumFOp::create(b, loc_, arguments[0], arguments[1]);
                          });
  Value decay = generic({oldMax, tileMax}, {rowIdentity, rowIdentity}, empty(rowSizes, type_), rowIdentity,
                        [&](OpBuilder &b, ValueRange arguments) {
                          Value max = arith::MaximumFOp::create(b, loc_, arguments[0], arguments[1]);
                          return exponential(b, arith::SubFOp::create(b, loc_, arguments[0], max));
                        });
  Value newMax = generic(tileMax, rowIdentity, oldMax, rowIdentity, [&](OpBuilder &b, ValueRange arguments) -> Value {
    return arith::MaximumFOp::create(b, loc_, arguments[1], arguments[0]);
  });
  Value weights = generic({logits, newMax}, {identity, rows}, empty(sizes, type_), identity,
                          [&](OpBuilder &b, ValueRange arguments) {
                            return exponential(b, arith::SubFOp::create(b, loc_, arguments[0], arguments[1]));
                          });
  Value scaledSum = generic(decay, rowIdentity, oldSum, rowIdentity, [&](OpBuilder &b, ValueRange arguments) -> Value {
    return arith::MulFOp::create(b, loc_, arguments[1], arguments[0]);
  });
  Value newSum = generic(weights, identity, scaledSum, rows, [&](OpBuilder &b, ValueRange arguments) -> Value {
    return arith::AddFOp::create(b, loc_, arguments[1], arguments[0]);
  });

  linalg::LinalgOp context = attention_.context;
  SmallVector<Tile> tiles = loopTiles(context, contextLoop_);
  AffineMap written = keptMap(attention_.writtenMap(), tiles);
  AffineMap toSpace = tileMap(contextLoop_, tiles);
  auto contextType = cast<RankedTensorType>(oldContext.getType());
  // From the dimensions of the context to its rows.
  AffineMap contextRows = rows.compose(toSpace).compose(inverseAndBroadcastProjectedPermutation(written));
  AffineMap contextIdentity = b_.getMultiDimIdentityMap(contextType.getRank());
  Value scaledContext =
      generic(decay, contextRows, oldContext, contextIdentity, [&](OpBuilder &b, ValueRange arguments) -> Value {
        Value factor = castFloat(b, loc_, arguments[0], arguments[1].getType());
        return arith::MulFOp::create(b, loc_, arguments[1], factor);
      });
  Type read = getElementTypeOrSelf(context.getDpsInputs()[attention_.probabilities].getType());
  if (!attention_.casts.empty() || read != type_)
    weights = generic(weights, identity, empty(sizes, read), identity, [&](OpBuilder &b, ValueRange arguments) {
      Value value = arguments[0];
      for (Operation *cast : attention_.casts) {
        IRMapping mapping;
        mapping.map(cast->getOperand(0), castFloat(b, loc_, value, cast->getOperand(0).getType()));
        value = b.clone(*cast, mapping)->getResult(0);
      }
      return castFloat(b, loc_, value, read);
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

/// How many keys one step along the first of their dimensions takes.
int64_t OnlineSoftmax::innerKeys() {
  int64_t count = 1;
  for (unsigned dim : attention_.keyDims.set_bits())
    if (dim != static_cast<unsigned>(attention_.keyDims.find_first()))
      count *= std::max<int64_t>(1, getConstantIntValue(spaceExtent(dim)).value_or(keyTile_));
  return count;
}

/// The rows of one workgroup.
void OnlineSoftmax::buildWorkgroup(scf::ForallOp forall) {
  linalg::LinalgOp context = attention_.context;
  unsigned block = 0;
  int64_t queryStep = 1;
  space_.assign(attention_.rank(), Tile());
  for (unsigned dim = 0; dim < attention_.rank(); ++dim) {
    if (attention_.isKey(dim)) {
      space_[dim] = {.offset = b_.getIndexAttr(0), .size = spaceExtent(dim)};
      continue;
    }
    Value index = forall.getInductionVar(block++);
    if (isBatch_[dim]) {
      space_[dim] = {.offset = index, .size = b_.getIndexAttr(1), .isKept = false};
      continue;
    }
    queryStep = pickStep(spaceExtent(dim), queryTile_);
    space_[dim] = tileAt(spaceExtent(dim), queryStep, index);
  }
  // Of several dimensions of keys the first is cut.
  unsigned keyDim = attention_.keyDims.find_first();
  const Tile allKeys = space_[keyDim];
  OpFoldResult keys = allKeys.size;

  SmallVector<OpFoldResult> rowSizes = keptSizes(space_, attention_.keyDims);
  SmallVector<Tile> tiles = loopTiles(context, contextLoop_);
  AffineMap written = attention_.writtenMap();
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
      filled(contextSizes, cast<TypedAttr>(b_.getZeroAttr(accumulatorTypeOf(type.getElementType()))))};

  prepareQueries();
  int64_t step = pickStep(keys, std::max<int64_t>(1, keyTile_ / innerKeys()));
  if (isAsked_)
    writeTilingConfig(forall, {.workgroup = {queryStep}, .reduction = {step}});
  Value zero = arith::ConstantIndexOp::create(b_, loc_, 0);
  Value one = arith::ConstantIndexOp::create(b_, loc_, 1);
  Value steps = getValueOrCreateConstantIndexOp(
      b_, loc_, affine::makeComposedFoldedAffineApply(b_, loc_, b_.getAffineSymbolExpr(0).ceilDiv(step), {keys}));
  auto loop = scf::ForOp::create(b_, loc_, zero, steps, one, start);
  {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    space_[keyDim] = tileAt(keys, step, loop.getInductionVar());
    scf::YieldOp::create(b_, loc_, buildStep(loop.getRegionIterArgs()));
  }

  // Only now the division by the sum of each row.
  space_[keyDim] = allKeys;
  AffineMap contextWritten = keptMap(written, tiles);
  SmallVector<unsigned> rowLoops;
  for (unsigned dim = 0; dim < attention_.rank(); ++dim)
    if (!attention_.isKey(dim))
      rowLoops.push_back(contextLoop_[dim]);
  AffineMap rows = tileMap(rowLoops, tiles).compose(inverseAndBroadcastProjectedPermutation(contextWritten));
  AffineMap identity = b_.getMultiDimIdentityMap(contextSizes.size());
  Value result =
      generic({loop.getResult(2), loop.getResult(1)}, {identity, rows},
              empty(contextSizes, resultType().getElementType()), identity, [&](OpBuilder &b, ValueRange arguments) {
                Value sum = castFloat(b, loc_, arguments[1], arguments[0].getType());
                Value quotient = arith::DivFOp::create(b, loc_, arguments[0], sum);
                return castFloat(b, loc_, quotient, resultType().getElementType());
              });
  SmallVector<OpFoldResult> strides(sizes.size(), b_.getIndexAttr(1));
  b_.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b_, loc_, result, forall.getRegionIterArgs()[0], offsets, sizes, strides);
}

/// What the dispatch stores: the context, cast where that is all that is done with it.
RankedTensorType OnlineSoftmax::resultType() {
  linalg::LinalgOp last = attention_.rounding ? attention_.rounding : attention_.context;
  return cast<RankedTensorType>(last->getResult(0).getType());
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
  type_ = cast<FloatType>(accumulatorTypeOf(
      attention_.logits->isTensor() ? getElementTypeOrSelf(attention_.logits->value.getType())
                                    : attention_.logits->op->getResult(attention_.logits->result).getType()));
  RankedTensorType type = resultType();
  SmallVector<OpFoldResult> sizes;
  SmallVector<Value> dynamicSizes;
  for (auto [dim, expr] : llvm::enumerate(attention_.writtenMap().getResults())) {
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
    if (attention_.isKey(dim))
      continue;
    int64_t tile = isBatch_[dim] ? 1 : pickStep(spaceExtent(dim), queryTile_);
    counts.push_back(
        affine::makeComposedFoldedAffineApply(b_, loc_, b_.getAffineSymbolExpr(0).ceilDiv(tile), {spaceExtent(dim)}));
    staticCounts.push_back(getConstantIntValue(counts.back()).value_or(1));
  }
  if (counts.empty()) {
    counts.push_back(b_.getIndexAttr(1));
    staticCounts.push_back(1);
  }
  Value init = empty(sizes, type.getElementType());
  auto forall = scf::ForallOp::create(b_, loc_, counts, ValueRange(init),
                                      b_.getArrayAttr(blockMapping(b_.getContext(), staticCounts)));
  b_.setInsertionPointToStart(forall.getBody());
  buildWorkgroup(forall);
  b_.setInsertionPointToEnd(body);
  flow::ReturnOp::create(b_, loc_, forall.getResults());
  if (attention_.rounding)
    b_.replaceAllUsesWith(attention_.rounding->getResult(0), region.getResult(0));
  else
    b_.replaceAllUsesWith(context->getResult(0), region.getResult(0));
  return region;
}

Operation *buildOnlineSoftmax(RewriterBase &rewriter, const Attention &attention, const OnlineSoftmaxOptions &options) {
  return OnlineSoftmax(rewriter, attention, options).build();
}

} // namespace fuselage

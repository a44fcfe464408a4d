#include "core/transforms/attention/AttentionLoops.h"
#include "core/transforms/attention/AttentionTiles.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace fuselage {
namespace {

class AttentionLoops : AttentionTiles {
public:
  AttentionLoops(RewriterBase &rewriter, flow::AttentionOp op, const AttentionLoopOptions &options)
      : AttentionTiles(rewriter, op), options_(options) {}
  scf::ForallOp build();

private:
  Tile tileAt(unsigned dim, int64_t size, Value block);
  Tile uniformTileAt(unsigned dim, int64_t size, Value block, Value &repeated);
  SmallVector<unsigned> writtenDims();
  AffineMap contextRows();
  void buildWorkgroup(scf::ForallOp forall);
  SmallVector<Value> buildStep(ValueRange carried);
  SmallVector<unsigned> queryDims();
  Value queriesTile();
  Value logitsTile();
  Value withoutRepeated(Value logits);
  Value exponential(OpBuilder &b, Value value);
  void store(Value result, scf::ForallOp forall, Value queriesBlock);

  const AttentionLoopOptions &options_;
  Type type_;          ///< of the logits, and of the maximum and the sum
  Value queries_;      ///< a tile, where it is computed here
  scf::ForOp loop_;    ///< over keys, where tiles that are the same in each step are read before it
  Value repeatedKeys_; ///< how many keys the step before had; null where there are none
  Value repeatedRows_; ///< how many queries the workgroup before had; null where there are none
};

} // namespace

//===-- Tiles -------------------------------------------------------------===//

/// The tile at `block`; the last one may be smaller.
AttentionTiles::Tile AttentionLoops::tileAt(unsigned dim, int64_t size, Value block) {
  AffineExpr index = b_.getAffineDimExpr(0), end = b_.getAffineSymbolExpr(0);
  Tile result;
  result.offset = affine::makeComposedFoldedAffineApply(b_, loc_, index * size, {OpFoldResult(block)});
  std::optional<int64_t> range = getConstantIntValue(ranges_[dim]);
  if (range && *range % size == 0) {
    result.size = b_.getIndexAttr(size);
    return result;
  }
  AffineMap map = AffineMap::get(1, 1, {b_.getAffineConstantExpr(size), end - index}, b_.getContext());
  result.size = affine::makeComposedFoldedAffineMin(b_, loc_, map, {result.offset, ranges_[dim]});
  return result;
}

/// The tile at `block`; the last one may start earlier.
AttentionTiles::Tile AttentionLoops::uniformTileAt(unsigned dim, int64_t size, Value block, Value &repeated) {
  int64_t range = *getConstantIntValue(ranges_[dim]);
  if (range % size == 0)
    return tileAt(dim, size, block);
  AffineExpr start = b_.getAffineDimExpr(0) * size, last = b_.getAffineConstantExpr(range - size);
  auto map = [&](AffineExpr a, AffineExpr b) { return AffineMap::get(1, 0, {a, b}, b_.getContext()); };
  Tile result{.offset = Value(affine::AffineMinOp::create(b_, loc_, map(start, last), block)),
              .size = b_.getIndexAttr(size)};
  repeated = affine::AffineMaxOp::create(b_, loc_, map(b_.getAffineConstantExpr(0), start - last), block);
  return result;
}

/// The dimensions of the queries, in the order of the operand that has most of them.
SmallVector<unsigned> AttentionLoops::queryDims() {
  SmallVector<AffineMap> maps = op_.getIndexingMapsArray();
  maps.resize(op_.getQueries().size());
  llvm::stable_sort(maps, [](AffineMap a, AffineMap b) { return a.getNumResults() > b.getNumResults(); });
  llvm::SmallSetVector<unsigned, 4> dims;
  for (AffineMap map : maps)
    for (AffineExpr result : map.getResults())
      dims.insert(cast<AffineDimExpr>(result).getPosition());
  return dims.takeVector();
}

/// Computes the tile of the queries where that is a matter of the attention alone, such as a scale: once for all keys.
Value AttentionLoops::queriesTile() {
  if (op_.getQueryRegion().empty())
    return {};
  SmallVector<unsigned> dims = queryDims();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op_.getQueriesMutable()) {
    inputs.push_back(slice(operand));
    maps.push_back(keptMap(op_.getMatchingIndexingMap(operand), dims));
  }
  Type element = op_.getScoresRegion().front().getArgument(0).getType();
  return generic(
      inputs, maps, empty(dims, element), b_.getMultiDimIdentityMap(keptSizes(dims).size()),
      [&](OpBuilder &b, ValueRange arguments) { return inlined(b, op_.getQueryRegion(), arguments.drop_back()); });
}

//===-- A step ------------------------------------------------------------===//

Value AttentionLoops::exponential(OpBuilder &b, Value value) {
  if (op_.getPowersOfTwo())
    return math::Exp2Op::create(b, loc_, value);
  return math::ExpOp::create(b, loc_, value);
}

/// The logits of the current tile, in the order of the scores' dimensions.
Value AttentionLoops::logitsTile() {
  SmallVector<unsigned> dims(scores_);
  llvm::append_range(dims, dims_.depth);
  OpOperand &keys = op_.getKeysMutable();
  AffineMap queriesMap = AffineMap::getMultiDimMapWithTargets(all_.size(), queryDims(), b_.getContext()),
            scoresMap = AffineMap::getMultiDimMapWithTargets(all_.size(), scores_, b_.getContext());
  Value queries = queries_ ? queries_ : slice(op_.getQueriesMutable()[0], loop_);
  Value keysTile = slice(keys, loop_);
  Type element = accumulatorTypeOf(op_.getScoresRegion().front().getArgument(2).getType());
  Value scores =
      product(op_.getScoresRegion(), {queries, keysTile},
              {keptMap(queriesMap, dims), keptMap(op_.getMatchingIndexingMap(keys), dims), keptMap(scoresMap, dims)},
              filled(scores_, cast<TypedAttr>(b_.getZeroAttr(element))));
  if (op_.getLogitsRegion().empty())
    return scores;
  AffineMap identity = b_.getMultiDimIdentityMap(keptSizes(scores_).size());
  SmallVector<Value> inputs{scores};
  SmallVector<AffineMap> maps{identity};
  for (OpOperand &extra : op_.getExtrasMutable()) {
    inputs.push_back(slice(extra, loop_));
    maps.push_back(keptMap(op_.getMatchingIndexingMap(extra), scores_));
  }
  return generic(inputs, maps, empty(scores_, type_), identity, [&](OpBuilder &b, ValueRange arguments) {
    return castFloat(b, inlined(b, op_.getLogitsRegion(), arguments.drop_back()), type_);
  });
}

/// The logits; minus infinity for the keys that the step before had.
Value AttentionLoops::withoutRepeated(Value logits) {
  auto type = cast<RankedTensorType>(logits.getType());
  auto floats = cast<FloatType>(type_);
  Location loc = logits.getLoc();
  unsigned key =
      llvm::count_if(ArrayRef(tiles_).take_front(dims_.keys.front()), [](const Tile &tile) { return tile.isKept; });
  Value never = arith::ConstantOp::create(
      b_, loc, b_.getFloatAttr(floats, APFloat::getInf(floats.getFloatSemantics(), /*Negative=*/true)));
  AffineMap identity = b_.getMultiDimIdentityMap(type.getRank());
  Value masked = tensor::EmptyOp::create(b_, loc, type.getShape(), type_);
  return generic(logits, identity, masked, identity, [&](OpBuilder &b, ValueRange arguments) -> Value {
    Value index = linalg::IndexOp::create(b, loc, key);
    Value isNew = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, index, repeatedKeys_);
    return arith::SelectOp::create(b, loc, isNew, arguments.front(), never);
  });
}

/// One tile of keys; `carried` and the results are the maximum, the sum and the context.
SmallVector<Value> AttentionLoops::buildStep(ValueRange carried) {
  Value oldMax = carried[0], oldSum = carried[1], oldContext = carried[2];
  Value logits = logitsTile();
  if (repeatedKeys_)
    logits = withoutRepeated(logits);
  AffineMap identity = b_.getMultiDimIdentityMap(keptSizes(scores_).size());
  AffineMap rows = keptMap(AffineMap::getMultiDimMapWithTargets(all_.size(), rows_, b_.getContext()), scores_);
  AffineMap rowIdentity = b_.getMultiDimIdentityMap(keptSizes(rows_).size());

  // What is carried is updated in place: each old value has one reader that is no update, before
  // its update. Then the loop needs no second buffers.
  auto lowest = APFloat::getLargest(cast<FloatType>(type_).getFloatSemantics(), /*Negative=*/true);
  Value tileMax = generic(logits, identity, filled(rows_, b_.getFloatAttr(type_, lowest)), rows,
                          [&](OpBuilder &b, ValueRange arguments) -> Value {
                            return arith::MaximumFOp::create(b, loc_, arguments[0], arguments[1]);
                          });
  Value decay = generic({oldMax, tileMax}, {rowIdentity, rowIdentity}, empty(rows_, type_), rowIdentity,
                        [&](OpBuilder &b, ValueRange arguments) {
                          Value max = arith::MaximumFOp::create(b, loc_, arguments[0], arguments[1]);
                          return exponential(b, arith::SubFOp::create(b, loc_, arguments[0], max));
                        });
  Value newMax = generic(tileMax, rowIdentity, oldMax, rowIdentity, [&](OpBuilder &b, ValueRange arguments) -> Value {
    return arith::MaximumFOp::create(b, loc_, arguments[1], arguments[0]);
  });
  Value weights = generic({logits, newMax}, {identity, rows}, empty(scores_, type_), identity,
                          [&](OpBuilder &b, ValueRange arguments) {
                            return exponential(b, arith::SubFOp::create(b, loc_, arguments[0], arguments[1]));
                          });
  Value scaledSum = generic(decay, rowIdentity, oldSum, rowIdentity, [&](OpBuilder &b, ValueRange arguments) -> Value {
    return arith::MulFOp::create(b, loc_, arguments[1], arguments[0]);
  });
  Value newSum = generic(weights, identity, scaledSum, rows, [&](OpBuilder &b, ValueRange arguments) -> Value {
    return arith::AddFOp::create(b, loc_, arguments[1], arguments[0]);
  });

  auto contextType = cast<RankedTensorType>(oldContext.getType());
  Value scaledContext = generic(decay, contextRows(), oldContext, b_.getMultiDimIdentityMap(contextType.getRank()),
                                [&](OpBuilder &b, ValueRange arguments) -> Value {
                                  Value factor = castFloat(b, arguments[0], arguments[1].getType());
                                  return arith::MulFOp::create(b, loc_, arguments[1], factor);
                                });
  Region &context = op_.getContextRegion(), &rounding = op_.getProbabilitiesRegion();
  Type read = context.front().getArgument(0).getType();
  if (!rounding.empty() || read != type_)
    weights = generic(weights, identity, empty(scores_, read), identity, [&](OpBuilder &b, ValueRange arguments) {
      Value value = rounding.empty() ? arguments[0] : inlined(b, rounding, arguments.front());
      return castFloat(b, value, read);
    });
  SmallVector<unsigned> dims(rows_);
  llvm::append_range(dims, dims_.columns);
  llvm::append_range(dims, dims_.keys);
  OpOperand &values = op_.getValuesMutable();
  Value valuesTile = slice(values, loop_);
  AffineMap scoresMap = AffineMap::getMultiDimMapWithTargets(all_.size(), scores_, b_.getContext());
  Value newContext = product(context, {weights, valuesTile},
                             {keptMap(scoresMap, dims), keptMap(op_.getMatchingIndexingMap(values), dims),
                              keptMap(op_.getIndexingMapsArray().back(), dims)},
                             scaledContext);
  return {newMax, newSum, newContext};
}

//===-- A workgroup -------------------------------------------------------===//

/// The dimensions of the result, in its order.
SmallVector<unsigned> AttentionLoops::writtenDims() {
  return llvm::map_to_vector(op_.getIndexingMapsArray().back().getResults(),
                             [](AffineExpr result) { return unsigned(cast<AffineDimExpr>(result).getPosition()); });
}

/// From the dimensions of a tile of the context to its rows.
AffineMap AttentionLoops::contextRows() {
  return keptMap(AffineMap::getMultiDimMapWithTargets(all_.size(), rows_, b_.getContext()), writtenDims());
}

/// The rows of one workgroup.
void AttentionLoops::buildWorkgroup(scf::ForallOp forall) {
  Value queriesBlock;
  tiles_.assign(all_.size(), Tile());
  for (unsigned dim : all_)
    tiles_[dim] = {.offset = b_.getIndexAttr(0), .size = ranges_[dim]};
  for (auto [dim, block] : llvm::zip(rows_, forall.getInductionVars()))
    if (dim == dims_.queries)
      queriesBlock = block;
    else
      tiles_[dim] = {.offset = Value(block), .size = b_.getIndexAttr(1), .isKept = false};
  if (queriesBlock)
    tiles_[*dims_.queries] = options_.isUniform
                                 ? uniformTileAt(*dims_.queries, options_.tile.queries, queriesBlock, repeatedRows_)
                                 : tileAt(*dims_.queries, options_.tile.queries, queriesBlock);
  // Of several dimensions of keys the first is cut.
  unsigned keyDim = dims_.keys.front();
  const Tile allKeys = tiles_[keyDim];

  SmallVector<unsigned> contextDims = writtenDims();
  Type sumType = accumulatorTypeOf(op_.getContextRegion().front().getArgument(2).getType());
  // The lowest number, not minus infinity: where all keys so far are masked by minus infinity, the
  // difference of two infinities would spoil the row.
  APFloat lowest = APFloat::getLargest(cast<FloatType>(type_).getFloatSemantics(), /*Negative=*/true);
  SmallVector<Value> start{filled(rows_, b_.getFloatAttr(type_, lowest)), filled(rows_, b_.getFloatAttr(type_, 0.0)),
                           filled(contextDims, cast<TypedAttr>(b_.getZeroAttr(sumType)))};

  queries_ = queriesTile();
  int64_t step = options_.tile.keys;
  Value zero = arith::ConstantIndexOp::create(b_, loc_, 0);
  Value one = arith::ConstantIndexOp::create(b_, loc_, 1);
  Value steps = getValueOrCreateConstantIndexOp(
      b_, loc_,
      affine::makeComposedFoldedAffineApply(b_, loc_, b_.getAffineSymbolExpr(0).ceilDiv(step), {allKeys.size}));
  auto loop = scf::ForOp::create(b_, loc_, zero, steps, one, start);
  {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    size_t outside = made_.size();
    loop_ = options_.isUniform ? loop : scf::ForOp();
    tiles_[keyDim] = options_.isUniform ? uniformTileAt(keyDim, step, loop.getInductionVar(), repeatedKeys_)
                                        : tileAt(keyDim, step, loop.getInductionVar());
    scf::YieldOp::create(b_, loc_, buildStep(loop.getRegionIterArgs()));
    made_.truncate(outside);
  }

  // Only now the division by the sum of each row.
  tiles_[keyDim] = allKeys;
  Type stored = getElementTypeOrSelf(op_.getInit().getType());
  AffineMap identity = b_.getMultiDimIdentityMap(keptSizes(contextDims).size());
  Value result = generic({loop.getResult(2), loop.getResult(1)}, {identity, contextRows()}, empty(contextDims, stored),
                         identity, [&](OpBuilder &b, ValueRange arguments) {
                           Value sum = castFloat(b, arguments[1], arguments[0].getType());
                           Value quotient = arith::DivFOp::create(b, loc_, arguments[0], sum);
                           return castFloat(b, quotient, stored);
                         });
  store(result, forall, queriesBlock);
}

/// Stores the queries that are this workgroup's own.
void AttentionLoops::store(Value result, scf::ForallOp forall, Value queriesBlock) {
  SmallVector<unsigned> dims = writtenDims();
  if (options_.isUniform && repeatedRows_) {
    unsigned dim = *dims_.queries;
    int64_t size = options_.tile.queries, range = *getConstantIntValue(ranges_[dim]);
    AffineExpr start = b_.getAffineDimExpr(0) * size;
    Value first = affine::AffineApplyOp::create(b_, loc_, AffineMap::get(1, 0, start), queriesBlock);
    AffineMap least = AffineMap::get(1, 0, {b_.getAffineConstantExpr(size), b_.getAffineConstantExpr(range) - start},
                                     b_.getContext());
    Value own = affine::AffineMinOp::create(b_, loc_, least, queriesBlock);
    SmallVector<OpFoldResult> skipped, taken, unit;
    for (unsigned each : dims)
      if (tiles_[each].isKept) {
        skipped.push_back(each == dim ? OpFoldResult(repeatedRows_) : b_.getIndexAttr(0));
        taken.push_back(each == dim ? OpFoldResult(own) : tiles_[each].size);
        unit.push_back(b_.getIndexAttr(1));
      }
    result = tensor::ExtractSliceOp::create(b_, loc_, result, skipped, taken, unit);
    tiles_[dim] = {.offset = first, .size = own};
  }
  SmallVector<OpFoldResult> offsets, sizes, strides(dims.size(), b_.getIndexAttr(1));
  for (unsigned dim : dims) {
    offsets.push_back(tiles_[dim].offset);
    sizes.push_back(tiles_[dim].size);
  }
  b_.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b_, loc_, result, forall.getRegionIterArgs()[0], offsets, sizes, strides);
}

scf::ForallOp AttentionLoops::build() {
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPoint(op_);
  Region &last = op_.getLogitsRegion().empty() ? op_.getScoresRegion() : op_.getLogitsRegion();
  type_ = accumulatorTypeOf(last.front().getTerminator()->getOperand(0).getType());
  ranges_ = op_.getLoopRanges(b_);
  SmallVector<OpFoldResult> counts;
  SmallVector<int64_t> staticCounts;
  for (unsigned dim : rows_) {
    int64_t tile = dim == dims_.queries ? options_.tile.queries : 1;
    counts.push_back(
        affine::makeComposedFoldedAffineApply(b_, loc_, b_.getAffineSymbolExpr(0).ceilDiv(tile), {ranges_[dim]}));
    staticCounts.push_back(getConstantIntValue(counts.back()).value_or(1));
  }
  if (counts.empty()) {
    counts.push_back(b_.getIndexAttr(1));
    staticCounts.push_back(1);
  }
  auto forall = scf::ForallOp::create(b_, loc_, counts, op_.getInit(),
                                      b_.getArrayAttr(blockMapping(b_.getContext(), staticCounts)));
  writeTilingConfig(forall, readTilingConfig(op_));
  b_.setInsertionPointToStart(forall.getBody());
  buildWorkgroup(forall);
  b_.replaceOp(op_, forall.getResults());
  return forall;
}

scf::ForallOp buildAttentionLoops(RewriterBase &rewriter, flow::AttentionOp op, const AttentionLoopOptions &options) {
  return AttentionLoops(rewriter, op, options).build();
}

} // namespace fuselage

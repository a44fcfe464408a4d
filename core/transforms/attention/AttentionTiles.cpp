#include "core/transforms/attention/AttentionTiles.h"
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace fuselage {

AttentionTiles::AttentionTiles(RewriterBase &rewriter, flow::AttentionOp op)
    : b_(rewriter), op_(op), loc_(op.getLoc()), dims_(op) {
  all_ = llvm::to_vector(llvm::seq(op.getNumLoops()));
  scores_ = llvm::to_vector(llvm::seq(op.getScoreRank()));
  rows_ = llvm::filter_to_vector(scores_, [&](unsigned dim) { return !llvm::is_contained(dims_.keys, dim); });
}

AffineMap AttentionTiles::keptMap(AffineMap map, ArrayRef<unsigned> dims) {
  llvm::SmallDenseMap<unsigned, unsigned> loops;
  for (unsigned dim : dims)
    if (tiles_[dim].isKept)
      loops.try_emplace(dim, loops.size());
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults())
    if (auto loop = loops.find(cast<AffineDimExpr>(result).getPosition()); loop != loops.end())
      results.push_back(b_.getAffineDimExpr(loop->second));
  return AffineMap::get(loops.size(), 0, results, b_.getContext());
}

SmallVector<OpFoldResult> AttentionTiles::keptSizes(ArrayRef<unsigned> dims) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : dims)
    if (tiles_[dim].isKept)
      sizes.push_back(tiles_[dim].size);
  return sizes;
}

Value AttentionTiles::slice(OpOperand &operand, scf::ForOp loop) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  SmallVector<OpFoldResult> offsets, sizes, strides(type.getRank(), b_.getIndexAttr(1));
  SmallVector<int64_t> shape;
  bool isWhole = true, isFixed = true;
  for (auto [place, dim] : llvm::enumerate(op_.getMatchingIndexingMap(operand).getResults())) {
    const Tile &tile = tiles_[cast<AffineDimExpr>(dim).getPosition()];
    offsets.push_back(tile.offset);
    sizes.push_back(tile.size);
    std::optional<int64_t> size = getConstantIntValue(tile.size);
    isWhole &= tile.isKept && isZeroInteger(tile.offset) && size && *size == type.getDimSize(place);
    for (OpFoldResult part : {tile.offset, tile.size})
      if (auto value = dyn_cast<Value>(part))
        isFixed &= loop && loop.isDefinedOutsideOfLoop(value);
    if (tile.isKept)
      shape.push_back(size.value_or(ShapedType::kDynamic));
  }
  if (isWhole)
    return operand.get();
  OpBuilder::InsertionGuard guard(b_);
  if (loop && isFixed)
    b_.setInsertionPoint(loop);
  auto sliced = RankedTensorType::get(shape, type.getElementType());
  return tensor::ExtractSliceOp::create(b_, loc_, sliced, operand.get(), offsets, sizes, strides);
}

Value AttentionTiles::empty(ArrayRef<unsigned> dims, Type element) {
  Attribute content = TypeAttr::get(element);
  for (const Made &made : made_)
    if (made.content == content && ArrayRef(made.dims) == dims)
      return made.tensor;
  Value tensor = tensor::EmptyOp::create(b_, loc_, keptSizes(dims), element);
  made_.push_back({.dims = SmallVector<unsigned>(dims), .content = content, .tensor = tensor});
  return tensor;
}

Value AttentionTiles::filled(ArrayRef<unsigned> dims, TypedAttr element) {
  for (const Made &made : made_)
    if (made.content == element && ArrayRef(made.dims) == dims)
      return made.tensor;
  Value scalar = arith::ConstantOp::create(b_, loc_, element);
  Value tensor = linalg::FillOp::create(b_, loc_, scalar, empty(dims, element.getType())).getResult(0);
  made_.push_back({.dims = SmallVector<unsigned>(dims), .content = element, .tensor = tensor});
  return tensor;
}

Value AttentionTiles::generic(ValueRange inputs, ArrayRef<AffineMap> maps, Value init, AffineMap initMap, Body body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(initMap);
  SmallVector<utils::IteratorType> iterators;
  for (unsigned loop = 0; loop < initMap.getNumDims(); ++loop)
    iterators.push_back(initMap.isFunctionOfDim(loop) ? utils::IteratorType::parallel : utils::IteratorType::reduction);
  auto op = linalg::GenericOp::create(b_, loc_, init.getType(), inputs, init, all, iterators,
                                      [&](OpBuilder &b, Location loc, ValueRange arguments) {
                                        Value result = body(b, arguments);
                                        linalg::YieldOp::create(b, loc, result);
                                      });
  return op.getResult(0);
}

Value AttentionTiles::product(Region &region, ValueRange factors, ArrayRef<AffineMap> maps, Value init) {
  SmallVector<utils::IteratorType> iterators;
  for (unsigned loop = 0; loop < maps.back().getNumDims(); ++loop)
    iterators.push_back(maps.back().isFunctionOfDim(loop) ? utils::IteratorType::parallel
                                                          : utils::IteratorType::reduction);
  // The product is where its region ends.
  Operation *end = region.front().getTerminator();
  auto made = linalg::GenericOp::create(b_, end->getLoc(), init.getType(), factors, init, maps, iterators);
  OpBuilder::InsertionGuard guard(b_);
  b_.cloneRegionBefore(region, made.getRegion(), made.getRegion().begin());
  Operation *copied = made.getBody()->getTerminator();
  b_.setInsertionPoint(copied);
  b_.replaceOpWithNewOp<linalg::YieldOp>(copied, copied->getOperands());
  (void)widenBody(b_, *made.getBody(), factors.size(), getElementTypeOrSelf(init.getType()));
  return made.getResult(0);
}

Value AttentionTiles::inlined(OpBuilder &builder, Region &region, ValueRange arguments) {
  IRMapping mapping;
  Block &block = region.front();
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    mapping.map(argument, isa<FloatType>(value.getType()) ? castFloat(builder, value, argument.getType()) : value);
  for (Operation &op : block.without_terminator()) {
    for (Value operand : op.getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand); argument && !mapping.contains(argument))
        mapping.map(argument, position(builder, argument.getArgNumber() - arguments.size()));
    builder.clone(op, mapping);
  }
  return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
}

Value AttentionTiles::position(OpBuilder &builder, unsigned dim) {
  Value offset = getValueOrCreateConstantIndexOp(builder, loc_, tiles_[dim].offset);
  if (!tiles_[dim].isKept)
    return offset;
  unsigned loop = llvm::count_if(ArrayRef(tiles_).take_front(dim), [](const Tile &tile) { return tile.isKept; });
  Value inside = linalg::IndexOp::create(builder, loc_, loop);
  return arith::AddIOp::create(builder, loc_, offset, inside);
}

Value AttentionTiles::castFloat(OpBuilder &builder, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (cast<FloatType>(type).getWidth() > cast<FloatType>(value.getType()).getWidth())
    return arith::ExtFOp::create(builder, loc_, type, value);
  return arith::TruncFOp::create(builder, loc_, type, value);
}

} // namespace fuselage

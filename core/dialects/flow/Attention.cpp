// flow.attention: verification, sizes, tiles.
#include "core/dialects/flow/Flow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuselage::flow;

//===-- Dimensions --------------------------------------------------------===//

SmallVector<AffineMap> AttentionOp::getIndexingMapsArray() {
  return llvm::to_vector(getIndexingMaps().getAsValueRange<AffineMapAttr>());
}

AffineMap AttentionOp::getMatchingIndexingMap(OpOperand &operand) {
  return cast<AffineMapAttr>(getIndexingMaps()[operand.getOperandNumber()]).getValue();
}

unsigned AttentionOp::getNumLoops() {
  return getIndexingMaps().empty() ? 0 : cast<AffineMapAttr>(getIndexingMaps()[0]).getValue().getNumDims();
}

/// The dimensions that some of the maps read.
static llvm::SmallBitVector dimsOf(ArrayRef<AffineMap> maps, unsigned loops) {
  llvm::SmallBitVector dims(loops);
  for (AffineMap map : maps)
    for (AffineExpr result : map.getResults())
      dims.set(cast<AffineDimExpr>(result).getPosition());
  return dims;
}

/// The dimensions of the scores: those of queries and keys that are dimensions of the result or keys.
static llvm::SmallBitVector scoreDimsOf(AttentionOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  llvm::SmallBitVector read = dimsOf(ArrayRef(maps).take_front(op.getQueries().size() + 1), op.getNumLoops());
  llvm::SmallBitVector kept = dimsOf(maps.back(), op.getNumLoops());
  for (int64_t dim : op.getKeyDims())
    kept.set(dim);
  return read &= kept;
}

unsigned AttentionOp::getScoreRank() { return scoreDimsOf(*this).count(); }

SmallVector<int64_t> AttentionOp::getStaticLoopRanges() {
  SmallVector<int64_t> ranges(getNumLoops(), ShapedType::kDynamic);
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    for (auto [size, dim] : llvm::zip_equal(type.getShape(), getMatchingIndexingMap(operand).getResults()))
      if (!ShapedType::isDynamic(size))
        ranges[cast<AffineDimExpr>(dim).getPosition()] = size;
  }
  return ranges;
}

SmallVector<OpFoldResult> AttentionOp::getLoopRanges(OpBuilder &builder) {
  SmallVector<OpFoldResult> ranges;
  for (int64_t range : getStaticLoopRanges())
    ranges.push_back(ShapedType::isDynamic(range) ? OpFoldResult() : builder.getIndexAttr(range));
  for (OpOperand &operand : getOperation()->getOpOperands())
    for (auto [place, dim] : llvm::enumerate(getMatchingIndexingMap(operand).getResults()))
      if (OpFoldResult &range = ranges[cast<AffineDimExpr>(dim).getPosition()]; !range)
        range = tensor::getMixedSize(builder, getLoc(), operand.get(), place);
  return ranges;
}

OpOperand *AttentionOp::getMatchingOpOperand(BlockArgument argument) {
  Region *region = argument.getOwner()->getParent();
  unsigned number = argument.getArgNumber();
  if (region == &getQueryRegion())
    return &getOperation()->getOpOperand(number);
  if (region == &getScoresRegion() && number == 0 && getQueryRegion().empty())
    return &getOperation()->getOpOperand(0);
  if (region == &getScoresRegion() && number == 1)
    return &getKeysMutable();
  if (region == &getContextRegion() && number == 1)
    return &getValuesMutable();
  if (region == &getLogitsRegion() && number > 0 && number <= getExtras().size())
    return &getExtrasMutable()[number - 1];
  return nullptr;
}

//===-- Verification ------------------------------------------------------===//

LogicalResult AttentionOp::verify() {
  SmallVector<AffineMap> maps = getIndexingMapsArray();
  if (maps.size() != getNumOperands())
    return emitOpError("has ") << getNumOperands() << " operands, but " << maps.size() << " indexing maps";
  if (getQueries().empty())
    return emitOpError("expects an operand for the queries");
  SmallVector<int64_t> ranges(getNumLoops(), ShapedType::kDynamic);
  for (auto [number, map, type] : llvm::enumerate(maps, getOperandTypes())) {
    auto shape = cast<RankedTensorType>(type).getShape();
    if (map.getNumDims() != ranges.size() || !map.isProjectedPermutation() || map.getNumResults() != shape.size())
      return emitOpError("expects indexing map ")
             << number << " to be a projected permutation of " << ranges.size() << " dimensions to " << shape.size();
    for (auto [size, dim] : llvm::zip_equal(shape, map.getResults())) {
      int64_t &range = ranges[cast<AffineDimExpr>(dim).getPosition()];
      if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(range) && size != range)
        return emitOpError("operand ") << number << " has " << size << " elements along dimension "
                                       << cast<AffineDimExpr>(dim).getPosition() << ", where others have " << range;
      range = ShapedType::isDynamic(size) ? range : size;
    }
  }
  if (getResult().getType() != getInit().getType())
    return emitOpError("expects a result of the destination's type");
  if (getKeyDims().empty())
    return emitOpError("expects a dimension of keys");
  llvm::SmallBitVector written = dimsOf(maps.back(), ranges.size());
  for (int64_t dim : getKeyDims())
    if (dim < 0 || dim >= int64_t(ranges.size()) || written.test(dim))
      return emitOpError("expects key dimension ") << dim << " to be a dimension, and none of the result";
  llvm::SmallBitVector scores = scoreDimsOf(*this);
  for (int64_t dim : getKeyDims())
    if (!scores.test(dim))
      return emitOpError("expects key dimension ") << dim << " to be one of queries or keys";
  if (scores.find_first_unset() >= 0 && unsigned(scores.find_first_unset()) < scores.count())
    return emitOpError("expects the dimensions of the scores before all others");
  if (dimsOf(maps, ranges.size()).count() != ranges.size())
    return emitOpError("expects each dimension to be one of an operand");
  auto extras = ArrayRef(maps).slice(getQueries().size() + 1, getExtras().size());
  if (dimsOf(extras, ranges.size()).test(scores))
    return emitOpError("expects operands of the logits to have dimensions of the scores only");
  return success();
}

/// A region takes elements of these types, and yields one value.
static LogicalResult verifyRegion(AttentionOp op, Region &region, StringRef name, TypeRange arguments, Type yielded) {
  Block &block = region.front();
  auto terminator = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (block.getArgumentTypes() != arguments) {
    InFlightDiagnostic error = op.emitOpError("expects region '") << name << "' to take (";
    llvm::interleaveComma(arguments, error);
    return error << ")";
  }
  if (!terminator || terminator.getNumOperands() != 1)
    return op.emitOpError("expects region '") << name << "' to end with flow.return of one value";
  Type type = terminator.getOperandTypes().front();
  if (yielded ? type != yielded : !isa<FloatType>(type)) {
    InFlightDiagnostic error = op.emitOpError("expects region '") << name << "' to return ";
    return yielded ? error << yielded : error << "a float";
  }
  return success();
}

LogicalResult AttentionOp::verifyRegions() {
  auto element = [](Value tensor) { return getElementTypeOrSelf(tensor.getType()); };
  // The types that regions choose themselves are those of accumulators and of what is handed on.
  Block &scores = getScoresRegion().front(), &context = getContextRegion().front();
  if (scores.getNumArguments() != 3 || context.getNumArguments() != 3)
    return emitOpError("expects regions 'scores' and 'context' to take two factors and an accumulator");
  Type query = scores.getArgument(0).getType(), score = scores.getArgument(2).getType(),
       sum = context.getArgument(2).getType();
  if (getQueryRegion().empty() && (getQueries().size() != 1 || query != element(getQueries().front())))
    return emitOpError("expects region 'queries', or one operand that region 'scores' takes as it is");
  if (!getQueryRegion().empty()) {
    SmallVector<Type> types = llvm::map_to_vector(getQueries(), element);
    if (failed(verifyRegion(*this, getQueryRegion(), "queries", types, query)))
      return failure();
  }
  if (failed(verifyRegion(*this, getScoresRegion(), "scores", {query, element(getKeys()), score}, score)))
    return failure();
  if (getLogitsRegion().empty()) {
    if (!getExtras().empty() || !isa<FloatType>(score))
      return emitOpError("expects region 'logits', since scores are no floats, or there are other operands");
  } else {
    SmallVector<Type> types{score};
    llvm::append_range(types, llvm::map_range(getExtras(), element));
    types.append(getScoreRank(), IndexType::get(getContext()));
    if (failed(verifyRegion(*this, getLogitsRegion(), "logits", types, Type())))
      return failure();
  }
  Type probability = context.getArgument(0).getType();
  if (!getProbabilitiesRegion().empty()) {
    Block &block = getProbabilitiesRegion().front();
    if (block.getNumArguments() != 1 || !isa<FloatType>(block.getArgument(0).getType()))
      return emitOpError("expects region 'probabilities' to take one float");
    if (failed(verifyRegion(*this, getProbabilitiesRegion(), "probabilities", block.getArgumentTypes(), Type())))
      return failure();
  }
  if (!isa<FloatType>(probability) || !isa<FloatType>(sum) || !isa<FloatType>(element(getInit())))
    return emitOpError("expects probabilities, their products with values, and results to be floats");
  return verifyRegion(*this, getContextRegion(), "context", {probability, element(getValues()), sum}, sum);
}

//===-- Tiles -------------------------------------------------------------===//

LogicalResult AttentionOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getInit()));
  return success();
}

SmallVector<utils::IteratorType> AttentionOp::getLoopIteratorTypes() {
  llvm::SmallBitVector written = dimsOf(getIndexingMapsArray().back(), getNumLoops());
  SmallVector<utils::IteratorType> types;
  for (unsigned loop = 0; loop < getNumLoops(); ++loop)
    types.push_back(written.test(loop) ? utils::IteratorType::parallel : utils::IteratorType::reduction);
  return types;
}

SmallVector<Range> AttentionOp::getIterationDomain(OpBuilder &builder) {
  SmallVector<Range> domain;
  for (OpFoldResult range : getLoopRanges(builder))
    domain.push_back({builder.getIndexAttr(0), range, builder.getIndexAttr(1)});
  return domain;
}

/// The offsets or sizes of an operand's tile.
static SmallVector<OpFoldResult> select(AffineMap map, ArrayRef<OpFoldResult> ofLoops) {
  SmallVector<OpFoldResult> selected;
  for (AffineExpr dim : map.getResults())
    selected.push_back(ofLoops[cast<AffineDimExpr>(dim).getPosition()]);
  return selected;
}

/// The positions of a tile's logits are those of the whole.
static void shiftPositions(OpBuilder &builder, AttentionOp tile, ArrayRef<OpFoldResult> offsets) {
  if (tile.getLogitsRegion().empty())
    return;
  OpBuilder::InsertionGuard guard(builder);
  Block &block = tile.getLogitsRegion().front();
  builder.setInsertionPointToStart(&block);
  unsigned first = 1 + tile.getExtras().size();
  for (auto [dim, argument] : llvm::enumerate(block.getArguments().drop_front(first))) {
    if (isZeroInteger(offsets[dim]) || argument.use_empty())
      continue;
    Value offset = getValueOrCreateConstantIndexOp(builder, tile.getLoc(), offsets[dim]);
    auto shifted = arith::AddIOp::create(builder, tile.getLoc(), argument, offset);
    argument.replaceAllUsesExcept(shifted, shifted);
  }
}

FailureOr<TilingResult> AttentionOp::getTiledImplementation(OpBuilder &builder, ArrayRef<OpFoldResult> offsets,
                                                            ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> ranges = getStaticLoopRanges();
  for (auto [loop, iterator] : llvm::enumerate(getLoopIteratorTypes())) {
    std::optional<int64_t> size = getConstantIntValue(sizes[loop]);
    if (iterator == utils::IteratorType::reduction &&
        (!isZeroInteger(offsets[loop]) || (size && !ShapedType::isDynamic(ranges[loop]) && *size != ranges[loop])))
      return failure(); // fuselage-tile-attention cuts the keys
  }
  TilingResult tiled;
  SmallVector<Value> operands;
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    AffineMap map = getMatchingIndexingMap(operand);
    SmallVector<OpFoldResult> strides(map.getNumResults(), builder.getIndexAttr(1));
    auto slice = tensor::ExtractSliceOp::create(builder, getLoc(), operand.get(), select(map, offsets),
                                                select(map, sizes), strides);
    operands.push_back(slice);
    tiled.generatedSlices.push_back(slice);
  }
  auto tile = cast<AttentionOp>(builder.clone(*getOperation()));
  tile->setOperands(operands);
  tile.getResult().setType(cast<RankedTensorType>(operands.back().getType()));
  shiftPositions(builder, tile, offsets);
  tiled.tiledOps.push_back(tile);
  tiled.tiledValues.push_back(tile.getResult());
  return tiled;
}

LogicalResult AttentionOp::getResultTilePosition(OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
                                                 SmallVector<OpFoldResult> &resultSizes) {
  AffineMap written = getIndexingMapsArray().back();
  resultOffsets = select(written, offsets);
  resultSizes = select(written, sizes);
  return success();
}

FailureOr<TilingResult> AttentionOp::generateResultTileValue(OpBuilder &builder, unsigned,
                                                             ArrayRef<OpFoldResult> resultOffsets,
                                                             ArrayRef<OpFoldResult> resultSizes) {
  SmallVector<OpFoldResult> sizes = getLoopRanges(builder), offsets(sizes.size(), builder.getIndexAttr(0));
  for (auto [place, dim] : llvm::enumerate(getIndexingMapsArray().back().getResults())) {
    unsigned loop = cast<AffineDimExpr>(dim).getPosition();
    offsets[loop] = resultOffsets[place];
    sizes[loop] = resultSizes[place];
  }
  return getTiledImplementation(builder, offsets, sizes);
}

//===-- Canonicalization --------------------------------------------------===//

namespace {

/// Operands that are casts of what has more static sizes. (Not by DestinationStyleOpInterface: upstream's pattern for
/// that crashes on ops with empty regions.)
struct FoldCasts : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> operands(op->getOperands());
    for (Value &operand : operands)
      if (auto cast = operand.getDefiningOp<tensor::CastOp>(); tensor::canFoldIntoConsumerOp(cast))
        operand = cast.getSource();
    if (llvm::equal(operands, op->getOperands()))
      return failure();
    auto folded = cast<AttentionOp>(rewriter.clone(*op));
    folded->setOperands(operands);
    folded.getResult().setType(cast<RankedTensorType>(folded.getInit().getType()));
    if (folded.getType() == op.getType())
      rewriter.replaceOp(op, folded);
    else
      rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op.getType(), folded.getResult());
    return success();
  }
};

} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<FoldCasts>(context);
}

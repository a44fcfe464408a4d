#include "core/transforms/attention/AttentionRegion.h"
#include "core/transforms/attention/PickAttentionTiles.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

/// A name such as `attention_12x128x64x128`: rows, columns of the values, keys.
static std::string nameOf(const Attention &attention) {
  std::string name = "attention_";
  linalg::LinalgOp context = attention.context;
  SmallVector<int64_t> ranges = context.getStaticLoopRanges();
  for (auto [loop, range] : llvm::enumerate(ranges))
    name += (loop ? "x" : "") + (ShapedType::isDynamic(range) ? "D" : std::to_string(range));
  return name;
}

/// Whether the value depends on where it is.
static bool readsIndex(const TensorExpr &expr) {
  return expr.index || llvm::any_of(expr.operands, [](const TensorExpr::Ref &operand) { return readsIndex(*operand); });
}

/// The argument of a region that is an element of the leaf; `leaves` are those of the arguments from `first` on.
static Value argumentOf(Block &block, ArrayRef<const TensorExpr *> leaves, const TensorExpr &wanted,
                        unsigned first = 0) {
  for (auto [number, leaf] : llvm::enumerate(leaves))
    if (leaf->value == wanted.value && leaf->map == wanted.map)
      return block.getArgument(first + number);
  return {};
}

namespace {

class AttentionRegionBuilder {
public:
  AttentionRegionBuilder(RewriterBase &rewriter, const Attention &attention)
      : b_(rewriter), attention_(attention), loc_(locate(attention)) {}
  flow::DispatchRegionOp build(const AttentionRegionOptions &options);

private:
  using Leaves = SmallVector<const TensorExpr *>;

  void nameDims();
  AffineMap mapOf(AffineMap ofLoops, ArrayRef<unsigned> dimOfLoop);
  void addOperand(Value tensor, AffineMap map) {
    operands_.push_back(tensor);
    maps_.push_back(map);
  }
  void addQueries();
  TensorExpr::Ref queriesExpr(OpOperand &queries);
  void addExtras();
  SmallVector<OpFoldResult> resultSizes(AffineMap written);
  void fillProduct(Region &region, linalg::LinalgOp product, unsigned first);
  void fillQueries(Region &region);
  void fillLogits(Region &region);
  void fillProbabilities(Region &region);
  void endRegion(Value result) { flow::ReturnOp::create(b_, loc_, result); }
  static Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

  RewriterBase &b_;
  const Attention &attention_;
  Location loc_;
  SmallVector<unsigned> scoresDims_, contextDims_; ///< of the iteration domain, by loop of the contraction
  unsigned dims_ = 0, keysOperand_ = 0;
  TensorExpr::Ref query_; ///< where the queries are computed here
  Leaves queryLeaves_, extras_;
  SmallVector<Value> operands_;
  SmallVector<AffineMap> maps_;
};

} // namespace

//===-- Operands ----------------------------------------------------------===//

/// The dimensions of the scores first, then what only one of the contractions has.
void AttentionRegionBuilder::nameDims() {
  linalg::LinalgOp scores = attention_.scores, context = attention_.context;
  constexpr unsigned none = ~0u;
  dims_ = attention_.rank();
  scoresDims_.assign(scores.getNumLoops(), none);
  contextDims_.assign(context.getNumLoops(), none);
  AffineMap written = scores.getIndexingMapsArray().back();
  for (auto [position, dim] : llvm::enumerate(attention_.scoresMap.getResults()))
    scoresDims_[cast<AffineDimExpr>(written.getResult(position)).getPosition()] =
        cast<AffineDimExpr>(dim).getPosition();
  for (auto [dim, loop] : llvm::enumerate(attention_.contextMap().getResults()))
    contextDims_[cast<AffineDimExpr>(loop).getPosition()] = dim;
  for (SmallVector<unsigned> *loops : {&scoresDims_, &contextDims_})
    for (unsigned &dim : *loops)
      if (dim == none)
        dim = dims_++;
  AffineMap first = scores.getIndexingMapsArray().front();
  keysOperand_ = attention_.readsKeys(mapOf(first, scoresDims_)) ? 0 : 1;
}

/// The map of a contraction's operand on the iteration domain.
AffineMap AttentionRegionBuilder::mapOf(AffineMap ofLoops, ArrayRef<unsigned> dimOfLoop) {
  SmallVector<AffineExpr> results;
  for (AffineExpr loop : ofLoops.getResults())
    results.push_back(b_.getAffineDimExpr(dimOfLoop[cast<AffineDimExpr>(loop).getPosition()]));
  return AffineMap::get(dims_, 0, results, b_.getContext());
}

/// What computes the queries, where that is an elementwise matter of the attention alone, such as a scale.
TensorExpr::Ref AttentionRegionBuilder::queriesExpr(OpOperand &queries) {
  Operation *producer = queries.get().getDefiningOp();
  linalg::LinalgOp scores = attention_.scores;
  auto followsRoot = [](Value value) {
    Operation *source = value.getDefiningOp();
    return source && isComputeOp(source) && isRootKind(kindOf(source));
  };
  if (!producer || !isElementwiseOp(producer) || !isOutsideDispatch(producer) || !producer->hasOneUse() ||
      isCheapProducer(producer) || attention_.readsKeys(mapOf(scores.getMatchingIndexingMap(&queries), scoresDims_)) ||
      llvm::any_of(producer->getOperands(), followsRoot))
    return nullptr;
  int64_t rank = cast<RankedTensorType>(queries.get().getType()).getRank();
  TensorExpr::Ref expr = exprOf(queries.get(), b_.getMultiDimIdentityMap(rank));
  if (!expr || expr->isTensor() || readsIndex(*expr) ||
      llvm::any_of(tensorLeaves(*expr), [](const TensorExpr *leaf) { return !leaf->map.isProjectedPermutation(); }))
    return nullptr;
  return expr;
}

void AttentionRegionBuilder::addQueries() {
  linalg::LinalgOp scores = attention_.scores;
  OpOperand &queries = scores->getOpOperand(1 - keysOperand_);
  AffineMap read = mapOf(scores.getMatchingIndexingMap(&queries), scoresDims_);
  query_ = queriesExpr(queries);
  if (!query_)
    return addOperand(queries.get(), read);
  queryLeaves_ = tensorLeaves(*query_);
  for (const TensorExpr *leaf : queryLeaves_)
    addOperand(leaf->value, leaf->map.compose(read));
}

/// The leaves of the logits beside the scores.
void AttentionRegionBuilder::addExtras() {
  if (attention_.logits->isTensor())
    return;
  for (const TensorExpr *leaf : tensorLeaves(*attention_.logits)) {
    if (leaf->value == attention_.scores->getResult(0) && leaf->map == attention_.scoresMap)
      continue;
    extras_.push_back(leaf);
    addOperand(leaf->value, AffineMap::get(dims_, 0, leaf->map.getResults(), b_.getContext()));
  }
}

//===-- Regions -----------------------------------------------------------===//

/// The payload of a contraction; its operand `first` is the first factor.
void AttentionRegionBuilder::fillProduct(Region &region, linalg::LinalgOp product, unsigned first) {
  OpBuilder::InsertionGuard guard(b_);
  Block *payload = product.getBlock();
  SmallVector<unsigned> order{first, 1 - first, 2};
  SmallVector<Type> types = llvm::map_to_vector(order, [&](unsigned n) { return payload->getArgument(n).getType(); });
  SmallVector<Location> locations(order.size(), product.getLoc());
  Block *block = b_.createBlock(&region, {}, types, locations);
  IRMapping mapping;
  for (auto [place, number] : llvm::enumerate(order))
    mapping.map(payload->getArgument(number), block->getArgument(place));
  for (Operation &op : payload->without_terminator())
    b_.clone(op, mapping);
  // The loops find there where the product is from.
  flow::ReturnOp::create(b_, product.getLoc(), mapping.lookupOrDefault(payload->getTerminator()->getOperand(0)));
}

void AttentionRegionBuilder::fillQueries(Region &region) {
  if (!query_)
    return;
  OpBuilder::InsertionGuard guard(b_);
  SmallVector<Type> types =
      llvm::map_to_vector(queryLeaves_, [](const TensorExpr *leaf) { return elementOf(leaf->value); });
  Block *block = b_.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc_));
  endRegion(emitExpr(b_, *query_,
                     [&](const TensorExpr &wanted) -> Value { return argumentOf(*block, queryLeaves_, wanted); }));
}

void AttentionRegionBuilder::fillLogits(Region &region) {
  if (attention_.logits->isTensor())
    return;
  OpBuilder::InsertionGuard guard(b_);
  Value scores = attention_.scores->getResult(0);
  SmallVector<Type> types{elementOf(scores)};
  for (const TensorExpr *leaf : extras_)
    types.push_back(elementOf(leaf->value));
  types.append(attention_.rank(), b_.getIndexType());
  Block *block = b_.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc_));
  endRegion(emitExpr(b_, *attention_.logits, [&](const TensorExpr &wanted) -> Value {
    if (auto constant = dyn_cast_or_null<AffineConstantExpr>(wanted.index))
      return arith::ConstantIndexOp::create(b_, loc_, constant.getValue());
    if (wanted.index)
      return block->getArgument(1 + extras_.size() + cast<AffineDimExpr>(wanted.index).getPosition());
    if (wanted.value == scores && wanted.map == attention_.scoresMap)
      return block->getArgument(0);
    return argumentOf(*block, extras_, wanted, /*first=*/1);
  }));
}

void AttentionRegionBuilder::fillProbabilities(Region &region) {
  if (attention_.casts.empty())
    return;
  OpBuilder::InsertionGuard guard(b_);
  Block *block = b_.createBlock(&region, {}, attention_.casts.front()->getOperand(0).getType(), loc_);
  Value value = block->getArgument(0);
  for (Operation *cast : attention_.casts) {
    IRMapping mapping;
    mapping.map(cast->getOperand(0), value);
    value = b_.clone(*cast, mapping)->getResult(0);
  }
  endRegion(value);
}

//===-- The dispatch ------------------------------------------------------===//

/// The dynamic sizes of what is stored, in order, from operands that are read anyway.
SmallVector<OpFoldResult> AttentionRegionBuilder::resultSizes(AffineMap written) {
  SmallVector<OpFoldResult> sizes;
  for (AffineExpr dim : written.getResults())
    for (auto [tensor, map] : llvm::zip_equal(operands_, maps_))
      if (std::optional<unsigned> place = map.getResultPosition(dim)) {
        sizes.push_back(tensor::getMixedSize(b_, loc_, tensor, *place));
        break;
      }
  return sizes;
}

flow::DispatchRegionOp AttentionRegionBuilder::build(const AttentionRegionOptions &options) {
  linalg::LinalgOp context = attention_.context, scores = attention_.scores;
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPoint(context);
  nameDims();
  addQueries();
  unsigned queries = operands_.size(), values = 1 - attention_.probabilities;
  SmallVector<AffineMap> ofScores = scores.getIndexingMapsArray(), ofContext = context.getIndexingMapsArray();
  addOperand(scores.getDpsInputs()[keysOperand_], mapOf(ofScores[keysOperand_], scoresDims_));
  addExtras();
  addOperand(context.getDpsInputs()[values], mapOf(ofContext[values], contextDims_));

  linalg::LinalgOp last = attention_.rounding ? attention_.rounding : context;
  auto type = cast<RankedTensorType>(last->getResult(0).getType());
  AffineMap written = mapOf(attention_.writtenMap(), contextDims_);
  SmallVector<OpFoldResult> sizes = resultSizes(written);
  SmallVector<Value> dynamicSizes;
  for (auto [place, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(place))
      dynamicSizes.push_back(getValueOrCreateConstantIndexOp(b_, loc_, size));
  Location named = NameLoc::get(b_.getStringAttr(nameOf(attention_)), context.getLoc());
  auto region = flow::DispatchRegionOp::create(b_, named, TypeRange(type), dynamicSizes);
  b_.setInsertionPointToEnd(&region.getBody().front());
  Value init = tensor::EmptyOp::create(b_, loc_, sizes, type.getElementType());
  maps_.push_back(written);
  SmallVector<int64_t> keys = llvm::to_vector_of<int64_t>(attention_.keyDims.set_bits());
  ArrayRef<Value> operands = operands_;
  auto op = flow::AttentionOp::create(b_, loc_, type, operands.take_front(queries), operands[queries],
                                      operands.drop_back().drop_front(queries + 1), operands.back(), init,
                                      b_.getAffineMapArrayAttr(maps_), keys,
                                      isa_and_nonnull<math::Exp2Op>(attention_.exponential));
  fillQueries(op.getQueryRegion());
  fillProduct(op.getScoresRegion(), scores, 1 - keysOperand_);
  fillLogits(op.getLogitsRegion());
  fillProbabilities(op.getProbabilitiesRegion());
  fillProduct(op.getContextRegion(), context, attention_.probabilities);
  flow::ReturnOp::create(b_, loc_, op.getResult());
  if (options.queryTile > 0 || options.keyTile > 0) {
    AttentionTile near = attentionTileNear(op, {.queries = options.queryTile, .keys = options.keyTile});
    writeTilingConfig(op, {.workgroup = {near.queries}, .reduction = {near.keys}});
  }
  b_.replaceAllUsesWith(last->getResult(0), region.getResult(0));
  return region;
}

flow::DispatchRegionOp buildAttentionRegion(RewriterBase &rewriter, const Attention &attention,
                                            const AttentionRegionOptions &options) {
  return AttentionRegionBuilder(rewriter, attention).build(options);
}

} // namespace fuselage

#include "core/transforms/attention/AttentionOp.h"
#include "core/dialects/flow/Flow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Logits as a function of one score, plus a mask that no score has a part in.
struct LogitParts {
  TensorExpr::Ref score, mask;
  TensorExpr::Ref condition; ///< of a select: `mask` is the number that replaces the score where it fails
  bool keepsWhereTrue = true;
};

bool isLeafOf(const TensorExpr &expr, Value tensor) { return expr.isTensor() && !expr.op && expr.value == tensor; }

/// Whether it reads the scores, and whether it reads anything else that differs from point to point.
void readsOf(const TensorExpr &expr, Value scores, bool &readsScores, bool &readsOthers) {
  if (expr.op) {
    for (const TensorExpr::Ref &operand : expr.operands)
      readsOf(*operand, scores, readsScores, readsOthers);
  } else if (isLeafOf(expr, scores)) {
    readsScores = true;
  } else if ((expr.isTensor() && !floatConstant(expr)) || expr.index) {
    readsOthers = true;
  }
}

bool isScoresOnly(const TensorExpr &expr, Value scores) {
  bool readsScores = false, readsOthers = false;
  readsOf(expr, scores, readsScores, readsOthers);
  return readsScores && !readsOthers;
}

bool isScoreFree(const TensorExpr &expr, Value scores) {
  bool readsScores = false, readsOthers = false;
  readsOf(expr, scores, readsScores, readsOthers);
  return !readsScores;
}

/// A number so low that adding a score to it is the number again, or its exponential nothing.
bool isVeryLow(const TensorExpr &expr) {
  std::optional<APFloat> number = floatConstant(expr);
  return number && number->convertToDouble() <= -1e9;
}

std::optional<LogitParts> splitLogits(const TensorExpr::Ref &logits, Value scores) {
  LogitParts parts;
  if (isScoresOnly(*logits, scores)) {
    parts.score = logits;
    return parts;
  }
  if (isa_and_nonnull<arith::AddFOp>(logits->op))
    for (unsigned side : {0u, 1u})
      if (isScoresOnly(*logits->operands[side], scores) && isScoreFree(*logits->operands[1 - side], scores)) {
        parts.score = logits->operands[side];
        parts.mask = logits->operands[1 - side];
        return parts;
      }
  if (isa_and_nonnull<arith::SelectOp>(logits->op) && isScoreFree(*logits->operands[0], scores))
    for (unsigned side : {1u, 2u})
      if (isScoresOnly(*logits->operands[side], scores) && isVeryLow(*logits->operands[3 - side])) {
        parts.score = logits->operands[side];
        parts.mask = logits->operands[3 - side];
        parts.condition = logits->operands[0];
        parts.keepsWhereTrue = side == 1;
        return parts;
      }
  return std::nullopt;
}

class AttentionOpBuilder {
public:
  AttentionOpBuilder(RewriterBase &rewriter, const Attention &attention)
      : b_(rewriter), attention_(attention), loc_(attention.context->getLoc()) {
    nameDims();
  }

  /// Null: an operand's map is no choice of dimensions.
  Operation *build(const LogitParts &parts);

private:
  void nameDims();
  /// The map of a contraction's operand over all dimensions; null map if it is more than a choice.
  AffineMap mapOf(OpOperand &operand, ArrayRef<unsigned> dimOfLoop);
  Value maskTensor(const LogitParts &parts, AffineMap &map);
  void fillBody(Region &region, const LogitParts &parts);
  OpFoldResult extent(unsigned dim) {
    AffineMap toResult = attention_.scoresMap;
    for (auto [position, expr] : llvm::enumerate(toResult.getResults()))
      if (cast<AffineDimExpr>(expr).getPosition() == dim)
        return tensor::getMixedSize(b_, loc_, scores(), position);
    return {};
  }
  Value scores() { return attention_.scores->getResult(0); }

  RewriterBase &b_;
  const Attention &attention_;
  Location loc_;
  SmallVector<unsigned> scoresDims_, contextDims_; // by loop
  unsigned dims_ = 0;
};

/// Dimensions of the space first, then what only one of the contractions has.
void AttentionOpBuilder::nameDims() {
  linalg::LinalgOp scores = attention_.scores, context = attention_.context;
  constexpr unsigned none = ~0u;
  dims_ = attention_.rank();
  scoresDims_.assign(scores.getNumLoops(), none);
  contextDims_.assign(context.getNumLoops(), none);
  AffineMap written = scores.getIndexingMapsArray().back();
  for (auto [position, expr] : llvm::enumerate(attention_.scoresMap.getResults()))
    scoresDims_[cast<AffineDimExpr>(written.getResult(position)).getPosition()] =
        cast<AffineDimExpr>(expr).getPosition();
  for (auto [dim, expr] : llvm::enumerate(attention_.contextMap().getResults()))
    contextDims_[cast<AffineDimExpr>(expr).getPosition()] = dim;
  for (SmallVector<unsigned> *loops : {&scoresDims_, &contextDims_})
    for (unsigned &dim : *loops)
      if (dim == none)
        dim = dims_++;
}

AffineMap AttentionOpBuilder::mapOf(OpOperand &operand, ArrayRef<unsigned> dimOfLoop) {
  auto owner = cast<linalg::LinalgOp>(operand.getOwner());
  AffineMap map = owner.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation())
    return {};
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : map.getResults())
    exprs.push_back(b_.getAffineDimExpr(dimOfLoop[cast<AffineDimExpr>(expr).getPosition()]));
  return AffineMap::get(dims_, 0, exprs, b_.getContext());
}

Value AttentionOpBuilder::maskTensor(const LogitParts &parts, AffineMap &map) {
  // Over the dimensions that it depends on, in the order of the space.
  llvm::SmallBitVector used(attention_.rank());
  SmallVector<const TensorExpr *> leaves;
  auto note = [&](const TensorExpr &expr, auto &self) -> void {
    if (expr.op)
      for (const TensorExpr::Ref &operand : expr.operands)
        self(*operand, self);
    else if (auto dim = dyn_cast_or_null<AffineDimExpr>(expr.index))
      used.set(dim.getPosition());
  };
  for (const TensorExpr::Ref &part : {parts.mask, parts.condition}) {
    if (!part)
      continue;
    note(*part, note);
    for (const TensorExpr *leaf : tensorLeaves(*part)) {
      leaves.push_back(leaf);
      for (AffineExpr expr : leaf->map.getResults())
        expr.walk([&](AffineExpr inner) {
          if (auto dim = dyn_cast<AffineDimExpr>(inner))
            used.set(dim.getPosition());
        });
    }
  }
  SmallVector<unsigned> dims;
  SmallVector<AffineExpr> loopOf(attention_.rank(), b_.getAffineConstantExpr(0)), exprs;
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : used.set_bits()) {
    loopOf[dim] = b_.getAffineDimExpr(dims.size());
    exprs.push_back(b_.getAffineDimExpr(dim));
    sizes.push_back(extent(dim));
    dims.push_back(dim);
  }
  map = AffineMap::get(dims_, 0, exprs, b_.getContext());
  Type element = cast<ShapedType>(scores().getType()).getElementType();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const TensorExpr *leaf : leaves) {
    inputs.push_back(leaf->value);
    maps.push_back(leaf->map.replaceDimsAndSymbols(loopOf, {}, dims.size(), 0));
  }
  maps.push_back(b_.getMultiDimIdentityMap(dims.size()));
  Value init = tensor::EmptyOp::create(b_, loc_, sizes, element);
  SmallVector<utils::IteratorType> loops(dims.size(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b_, loc_, init.getType(), inputs, init, maps, loops,
             [&](OpBuilder &body, Location loc, ValueRange values) {
               auto leafValue = [&](const TensorExpr &leaf) -> Value {
                 if (!leaf.isTensor()) {
                   if (auto dim = dyn_cast<AffineDimExpr>(leaf.index))
                     return linalg::IndexOp::create(body, loc, llvm::find(dims, dim.getPosition()) - dims.begin());
                   return arith::ConstantIndexOp::create(body, loc, cast<AffineConstantExpr>(leaf.index).getValue());
                 }
                 for (auto [at, known] : llvm::enumerate(leaves))
                   if (known->value == leaf.value && known->map == leaf.map)
                     return values[at];
                 return {};
               };
               Value mask = emitExpr(body, *parts.mask, leafValue);
               if (parts.condition) {
                 Value zero = arith::ConstantOp::create(body, loc, body.getFloatAttr(element, 0));
                 Value holds = emitExpr(body, *parts.condition, leafValue);
                 mask = parts.keepsWhereTrue ? arith::SelectOp::create(body, loc, holds, zero, mask)
                                             : arith::SelectOp::create(body, loc, holds, mask, zero);
               }
               if (element.isF32()) {
                 // Others compute powers of two and scale the mask to that: the lowest float would be
                 // minus infinity then, and a row that is masked as a whole no number.
                 Value low = arith::ConstantOp::create(body, loc, body.getF32FloatAttr(-1e38f));
                 mask = arith::MaximumFOp::create(body, loc, mask, low);
               }
               linalg::YieldOp::create(body, loc, mask);
             })
      .getResult(0);
}

/// The body takes a score and yields what becomes of it. It holds its constants itself.
void AttentionOpBuilder::fillBody(Region &region, const LogitParts &parts) {
  OpBuilder::InsertionGuard guard(b_);
  Type element = cast<ShapedType>(scores().getType()).getElementType();
  Block *block = b_.createBlock(&region, {}, {element}, {loc_});
  Value result = emitExpr(b_, *parts.score, [&](const TensorExpr &leaf) -> Value {
    if (isLeafOf(leaf, scores()))
      return block->getArgument(0);
    Type type = cast<ShapedType>(leaf.value.getType()).getElementType();
    return arith::ConstantOp::create(b_, loc_, b_.getFloatAttr(type, *floatConstant(leaf)));
  });
  OperationState yield(loc_, "iree_linalg_ext.yield");
  yield.addOperands(result);
  b_.create(yield);
  block->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (Operation *outside = operand.get().getDefiningOp();
          outside && outside->getBlock() != block && outside->hasTrait<OpTrait::ConstantLike>()) {
        b_.setInsertionPointToStart(block);
        operand.set(b_.clone(*outside)->getResult(0));
      }
  });
}

Operation *AttentionOpBuilder::build(const LogitParts &parts) {
  linalg::LinalgOp context = attention_.context, scores = attention_.scores;
  unsigned queries = 0;
  for (unsigned input : {0u, 1u}) {
    AffineMap map = mapOf(*scores.getDpsInputOperand(input), scoresDims_);
    if (map && !attention_.readsKeys(map))
      queries = input;
  }
  OpOperand *query = scores.getDpsInputOperand(queries), *key = scores.getDpsInputOperand(1 - queries),
            *value = context.getDpsInputOperand(1 - attention_.probabilities);
  AffineMap none = AffineMap::get(dims_, 0, b_.getContext());
  SmallVector<AffineMap> maps = {mapOf(*query, scoresDims_), mapOf(*key, scoresDims_), mapOf(*value, contextDims_),
                                 none};
  AffineMap written = mapOf(*context.getDpsInitOperand(0), contextDims_);
  if (!maps[0] || !maps[1] || !maps[2] || !written || attention_.readsKeys(maps[0]))
    return nullptr;
  auto type = cast<RankedTensorType>(context->getResult(0).getType());
  linalg::LinalgOp last = attention_.rounding ? attention_.rounding : context;
  auto stored = cast<RankedTensorType>(last->getResult(0).getType());
  b_.setInsertionPoint(last);
  SmallVector<Value> dynamicSizes;
  for (int64_t dim = 0; dim < stored.getRank(); ++dim)
    if (stored.isDynamicDim(dim))
      dynamicSizes.push_back(tensor::DimOp::create(b_, loc_, last.getDpsInits()[0], dim));
  auto region = flow::DispatchRegionOp::create(b_, loc_, TypeRange(stored), dynamicSizes);
  b_.setInsertionPointToEnd(&region.getBody().front());
  Type element = cast<ShapedType>(query->get().getType()).getElementType();
  Value scale = arith::ConstantOp::create(b_, loc_, b_.getFloatAttr(element, 1.0));
  SmallVector<Value> operands = {query->get(), key->get(), value->get(), scale};
  SmallVector<int32_t> segments = {1, 1, 1, 1, 0, 1};
  if (parts.mask) {
    AffineMap map;
    operands.push_back(maskTensor(parts, map));
    maps.push_back(map);
    segments[4] = 1;
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b_, loc_, context.getDpsInits()[0]);
  operands.push_back(tensor::EmptyOp::create(b_, loc_, sizes, type.getElementType()));
  maps.push_back(written);
  OperationState state(loc_, "iree_linalg_ext.attention");
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttribute("indexing_maps", b_.getAffineMapArrayAttr(maps));
  state.addAttribute("operandSegmentSizes", b_.getDenseI32ArrayAttr(segments));
  fillBody(*state.addRegion(), parts);
  b_.setInsertionPointToEnd(&region.getBody().front());
  Operation *op = b_.create(state);
  if (attention_.rounding) {
    IRMapping mapping;
    mapping.map(context->getResult(0), op->getResult(0));
    op = b_.clone(*last, mapping);
  }
  flow::ReturnOp::create(b_, loc_, op->getResults());
  b_.replaceOp(last, region.getResults());
  return region;
}

} // namespace

Operation *buildAttentionOp(RewriterBase &rewriter, const Attention &attention) {
  linalg::LinalgOp context = attention.context;
  auto element = [](Value tensor) { return cast<ShapedType>(tensor.getType()).getElementType(); };
  bool isOnFloats = isa<FloatType>(element(context->getResult(0))) &&
                    llvm::all_of(attention.scores->getOperands(), [&](Value v) { return isa<FloatType>(element(v)); });
  std::optional<LogitParts> parts = splitLogits(attention.logits, attention.scores->getResult(0));
  if (!parts || !isOnFloats || isa_and_nonnull<math::Exp2Op>(attention.exponential))
    return nullptr;
  return AttentionOpBuilder(rewriter, attention).build(*parts);
}

} // namespace fuselage

#include "core/transforms/attention/AttentionPattern.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace fuselage {

static bool isZeroFilled(Value tensor) {
  std::optional<APFloat> value = floatConstant(filledWith(tensor));
  return value && value->isZero();
}

/// Filled with minus infinity or the lowest number: a maximum that starts there is that of the data. So is one that
/// starts with a NaN where it leaves those out, which is how upstream decomposes linalg.softmax.
static bool isLowestFilled(Value tensor, Operation *combine) {
  std::optional<APFloat> value = floatConstant(filledWith(tensor));
  return value && ((value->isNegative() && (value->isInfinity() || value->isLargest())) ||
                   (value->isNaN() && isa<arith::MaxNumFOp>(combine)));
}

/// A reduction along some loops as an expression over the space of `leaf.map`.
struct RowReduction {
  TensorExpr::Ref element;   ///< what is combined
  llvm::SmallBitVector dims; ///< of the space: those that are reduced
  Operation *combine = nullptr;
  Value init;
};

/// Reads the leaf as a reduction over the dimensions of the space that it does not depend on, in their order.
static std::optional<RowReduction> readReduction(const TensorExpr &leaf) {
  auto op = leaf.isTensor() ? leaf.value.getDefiningOp<linalg::LinalgOp>() : nullptr;
  if (!op || !isOutsideDispatch(op) || op->getNumResults() != 1 || op.getNumReductionLoops() == 0 || isContraction(op))
    return std::nullopt;
  AffineMap written = op.getIndexingMapsArray().back();
  unsigned rank = leaf.map.getNumDims();
  if (op.getNumLoops() != rank || !written.isProjectedPermutation() || !leaf.map.isProjectedPermutation() ||
      leaf.map.getNumResults() + op.getNumReductionLoops() != rank)
    return std::nullopt;
  RowReduction reduction;
  SmallVector<AffineExpr> loops(rank);
  llvm::SmallBitVector used(rank);
  for (auto [loop, dim] : llvm::zip_equal(written.getResults(), leaf.map.getResults())) {
    loops[cast<AffineDimExpr>(loop).getPosition()] = dim;
    used.set(cast<AffineDimExpr>(dim).getPosition());
  }
  reduction.dims = used.flip();
  int next = reduction.dims.find_first();
  for (AffineExpr &loop : loops)
    if (!loop) {
      loop = getAffineDimExpr(next, op.getContext());
      next = reduction.dims.find_next(next);
    }
  Block *body = op.getBlock();
  Value accumulator = body->getArguments().back();
  reduction.combine = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!reduction.combine || reduction.combine->getNumOperands() != 2 || !accumulator.hasOneUse())
    return std::nullopt;
  bool first = reduction.combine->getOperand(0) == accumulator;
  if (!first && reduction.combine->getOperand(1) != accumulator)
    return std::nullopt;
  AffineMap map = AffineMap::get(rank, 0, loops, op.getContext());
  reduction.element = exprInPayload(reduction.combine->getOperand(first ? 1 : 0), op, map);
  reduction.init = op.getDpsInits()[0];
  if (!reduction.element)
    return std::nullopt;
  return reduction;
}

/// The sum and the numerator of `numerator / sum`, also written with a reciprocal.
static bool readQuotient(const TensorExpr &expr, TensorExpr::Ref &numerator, TensorExpr::Ref &sum) {
  if (isa_and_nonnull<arith::DivFOp>(expr.op)) {
    numerator = expr.operands[0];
    sum = expr.operands[1];
    return true;
  }
  if (!isa_and_nonnull<arith::MulFOp>(expr.op))
    return false;
  for (unsigned side : {0u, 1u}) {
    const TensorExpr &factor = *expr.operands[side];
    if (!isa_and_nonnull<arith::DivFOp>(factor.op))
      continue;
    std::optional<APFloat> one = floatConstant(*factor.operands[0]);
    if (!one || !one->isExactlyValue(1.0))
      continue;
    numerator = expr.operands[1 - side];
    sum = factor.operands[1];
    return true;
  }
  return false;
}

/// Softmax as ops: max, subtract, exp, sum, divide. Fills in `found`; a reason if it is none.
static std::string matchSoftmax(const TensorExpr &quotient, Attention &found) {
  TensorExpr::Ref numerator, sumLeaf;
  if (!readQuotient(quotient, numerator, sumLeaf))
    return "no softmax: its operand is no quotient";
  if (!isa_and_nonnull<math::ExpOp, math::Exp2Op>(numerator->op))
    return "no softmax: the numerator is no exponential";
  std::optional<RowReduction> sum = readReduction(*sumLeaf);
  if (!sum || !isa<arith::AddFOp>(sum->combine) || !isZeroFilled(sum->init))
    return "no softmax: the divisor is no sum over dimensions that starts at 0";
  if (!areEqual(*sum->element, *numerator))
    return "no softmax: what is added up is not what is divided";
  const TensorExpr &shifted = *numerator->operands[0];
  if (!isa_and_nonnull<arith::SubFOp>(shifted.op))
    return "a softmax that subtracts no maximum";
  std::optional<RowReduction> max = readReduction(*shifted.operands[1]);
  if (!max || !isa<arith::MaximumFOp, arith::MaxNumFOp>(max->combine) || !isLowestFilled(max->init, max->combine) ||
      max->dims != sum->dims || !areEqual(*max->element, *shifted.operands[0]))
    return "a softmax that subtracts something else than the maximum of the row";
  found.keyDims = sum->dims;
  found.exponential = numerator->op;
  found.logits = shifted.operands[0];
  return {};
}

/// The product among the leaves of the logits that the queries and keys make.
static std::string findScores(Attention &found) {
  for (const TensorExpr *leaf : tensorLeaves(*found.logits)) {
    if (!leaf->map.isProjectedPermutation())
      return "an operand of the softmax is read through a map that is no projected permutation; run "
             "fuselage-fold-unit-dims first";
    auto op = leaf->value.getDefiningOp<linalg::LinalgOp>();
    if (found.scores || !op || !isContraction(op) || !isOutsideDispatch(op) || !leaf->map.isPermutation() ||
        !isZeroFilled(op.getDpsInits()[0]))
      continue;
    found.scores = op;
    found.scoresMap = leaf->map;
  }
  return found.scores ? "" : "the softmax is not taken of a product that starts at 0";
}

/// The loops of the second contraction: the keys are its only reductions, all others are parallel.
static std::string checkContext(const Attention &found) {
  linalg::LinalgOp context = found.context;
  if (!isZeroFilled(context.getDpsInits()[0]))
    return "the product with the values adds to a tensor";
  AffineMap map = found.contextMap();
  llvm::SmallBitVector keyLoops(context.getNumLoops());
  for (unsigned dim : found.keyDims.set_bits())
    keyLoops.set(cast<AffineDimExpr>(map.getResult(dim)).getPosition());
  for (auto [loop, iterator] : llvm::enumerate(context.getIteratorTypesArray()))
    if ((iterator == utils::IteratorType::parallel) == keyLoops.test(loop))
      return "the product with the values does not sum over the keys alone";
  if (context.getIndexingMapsArray().back().getNumResults() + keyLoops.count() != context.getNumLoops())
    return "the product with the values does not keep every row";
  return {};
}

/// The op that casts the context to another float type, if nobody else reads the context.
static linalg::LinalgOp findRounding(linalg::LinalgOp context) {
  auto cast = context->hasOneUse() ? dyn_cast<linalg::LinalgOp>(*context->user_begin()) : nullptr;
  if (!cast || !isOutsideDispatch(cast) || cast->getBlock() != context->getBlock() || !isElementwiseOp(cast) ||
      cast->getNumOperands() != 2 || cast.getDpsInputs().front() != context->getResult(0) ||
      !llvm::all_of(cast.getIndexingMapsArray(), [](AffineMap map) { return map.isPermutation(); }))
    return {};
  Block &payload = *cast.getBlock();
  Operation *only = &payload.front();
  bool isCast = isa<arith::TruncFOp, arith::ExtFOp>(only) && only->getOperand(0) == payload.getArgument(0) &&
                payload.getTerminator()->getOperand(0).getDefiningOp() == only;
  return isCast ? cast : linalg::LinalgOp();
}

AffineMap Attention::writtenMap() const {
  linalg::LinalgOp product = context, cast = rounding;
  AffineMap written = product.getIndexingMapsArray().back();
  if (!cast)
    return written;
  AffineMap toStored =
      cast.getIndexingMapsArray().back().compose(inversePermutation(cast.getIndexingMapsArray().front()));
  return toStored.compose(written);
}

std::optional<Attention> matchAttention(linalg::LinalgOp context, std::string &reason) {
  if (!isContraction(context) || !isOutsideDispatch(context))
    return std::nullopt;
  for (unsigned operand : {0u, 1u}) {
    Attention found;
    found.context = context;
    found.probabilities = operand;
    Value probabilities = context.getDpsInputs()[operand];
    auto type = dyn_cast<RankedTensorType>(probabilities.getType());
    if (!type || !isa<FloatType>(type.getElementType()) || !found.contextMap().isProjectedPermutation())
      continue;
    AffineMap identity = AffineMap::getMultiDimIdentityMap(type.getRank(), context.getContext());
    TensorExpr::Ref expr = exprOf(probabilities, identity);
    while (expr && isa_and_nonnull<arith::TruncFOp, arith::ExtFOp>(expr->op)) {
      found.casts.insert(found.casts.begin(), expr->op);
      expr = expr->operands[0];
    }
    if (!expr)
      continue;
    TensorExpr::Ref numerator, sum;
    bool isSoftmax = readQuotient(*expr, numerator, sum) && isa_and_nonnull<math::ExpOp, math::Exp2Op>(numerator->op);
    if (auto softmax = expr->isTensor() ? expr->value.getDefiningOp<linalg::SoftmaxOp>() : nullptr;
        softmax && isOutsideDispatch(softmax) && expr->map.isIdentity()) {
      isSoftmax = true;
      found.keyDims.resize(type.getRank());
      found.keyDims.set(softmax.getDimension());
      found.logits = exprOf(softmax.getInput(), identity);
      if (!found.logits)
        continue;
    } else if (isSoftmax) {
      reason = matchSoftmax(*expr, found);
    }
    if (!isSoftmax)
      continue;
    if (reason.empty() && !probabilities.hasOneUse())
      reason = "the probabilities are read by others as well";
    if (reason.empty())
      reason = findScores(found);
    if (reason.empty())
      reason = checkContext(found);
    found.rounding = findRounding(context);
    return reason.empty() ? std::optional(found) : std::nullopt;
  }
  return std::nullopt;
}

} // namespace fuselage

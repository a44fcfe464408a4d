#include "core/transforms/attention/TensorExpr.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {

namespace {

/// Builds trees of bounded size and depth.
class Builder {
public:
  TensorExpr::Ref tensor(Value value, AffineMap map, unsigned depth);
  TensorExpr::Ref scalar(Value value, linalg::LinalgOp op, AffineMap loops, unsigned depth);

private:
  static constexpr unsigned maxNodes = 512, maxDepth = 64;
  unsigned nodes_ = 0;
};

} // namespace

static TensorExpr::Ref makeLeaf(Value value, AffineMap map) {
  auto leaf = std::make_shared<TensorExpr>();
  leaf->value = value;
  leaf->map = map;
  return leaf;
}

TensorExpr::Ref Builder::tensor(Value value, AffineMap map, unsigned depth) {
  if (++nodes_ > maxNodes || depth > maxDepth)
    return nullptr;
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !isElementwiseOp(op) || !isOutsideDispatch(op))
    return makeLeaf(value, map);
  unsigned result = cast<OpResult>(value).getResultNumber();
  AffineMap written = op.getIndexingMapMatchingResult(cast<OpResult>(value));
  if (!written.isPermutation())
    return makeLeaf(value, map);
  // An op that reads what its destination held before is no plain expression.
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.payloadUsesValueFromOperand(&init))
      return makeLeaf(value, map);
  Value yielded = op.getBlock()->getTerminator()->getOperand(result);
  return scalar(yielded, op, inversePermutation(written).compose(map), depth + 1);
}

TensorExpr::Ref Builder::scalar(Value value, linalg::LinalgOp op, AffineMap loops, unsigned depth) {
  if (++nodes_ > maxNodes || depth > maxDepth)
    return nullptr;
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == op.getBlock()) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (!isa<RankedTensorType>(operand->get().getType()))
      return makeLeaf(operand->get(), {});
    return tensor(operand->get(), op.getMatchingIndexingMap(operand).compose(loops), depth + 1);
  }
  Operation *payload = value.getDefiningOp();
  if (!payload || payload->getBlock() != op.getBlock())
    return makeLeaf(value, {});
  if (payload->getNumRegions() != 0 || !isPure(payload))
    return nullptr;
  if (auto index = dyn_cast<linalg::IndexOp>(payload)) {
    auto leaf = std::make_shared<TensorExpr>();
    leaf->index = loops.getResult(index.getDim());
    return isa<AffineDimExpr, AffineConstantExpr>(leaf->index) ? leaf : nullptr;
  }
  auto node = std::make_shared<TensorExpr>();
  node->op = payload;
  node->result = cast<OpResult>(value).getResultNumber();
  for (Value operand : payload->getOperands()) {
    TensorExpr::Ref child = scalar(operand, op, loops, depth + 1);
    if (!child)
      return nullptr;
    node->operands.push_back(child);
  }
  return node;
}

TensorExpr::Ref exprOf(Value tensor, AffineMap map) { return Builder().tensor(tensor, map, 0); }

TensorExpr::Ref exprInPayload(Value scalar, linalg::LinalgOp op, AffineMap loops) {
  return Builder().scalar(scalar, op, loops, 0);
}

/// Whether two scalars from outside are the same value or equal constants.
static bool areEqualScalars(Value a, Value b) {
  Attribute constantA, constantB;
  return a == b || (a && b && matchPattern(a, m_Constant(&constantA)) && matchPattern(b, m_Constant(&constantB)) &&
                    constantA == constantB);
}

bool areEqual(const TensorExpr &a, const TensorExpr &b) {
  if (&a == &b)
    return true;
  if (!a.op || !b.op)
    return !a.op && !b.op && a.map == b.map && a.index == b.index &&
           (a.isTensor() ? a.value == b.value : areEqualScalars(a.value, b.value));
  return a.op->getName() == b.op->getName() && a.result == b.result &&
         a.op->getAttrDictionary() == b.op->getAttrDictionary() && a.op->getResultTypes() == b.op->getResultTypes() &&
         llvm::equal(a.operands, b.operands, [](const auto &x, const auto &y) { return areEqual(*x, *y); });
}

std::optional<APFloat> floatConstant(Value value) {
  APFloat number(0.0);
  if (value && matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

std::optional<APFloat> floatConstant(const TensorExpr &expr) {
  return floatConstant(expr.op ? expr.op->getResult(expr.result) : expr.value);
}

static void collectLeaves(const TensorExpr &expr, SmallVectorImpl<const TensorExpr *> &leaves) {
  if (expr.op) {
    for (const TensorExpr::Ref &operand : expr.operands)
      collectLeaves(*operand, leaves);
  } else if (expr.isTensor() && llvm::none_of(leaves, [&](const TensorExpr *leaf) {
               return leaf->value == expr.value && leaf->map == expr.map;
             })) {
    leaves.push_back(&expr);
  }
}

SmallVector<const TensorExpr *> tensorLeaves(const TensorExpr &expr) {
  SmallVector<const TensorExpr *> leaves;
  collectLeaves(expr, leaves);
  return leaves;
}

Value emitExpr(OpBuilder &builder, const TensorExpr &expr, llvm::function_ref<Value(const TensorExpr &)> leaf) {
  if (expr.isTensor() || expr.index)
    return leaf(expr);
  if (!expr.op)
    return expr.value;
  IRMapping mapping;
  for (auto [operand, child] : llvm::zip_equal(expr.op->getOperands(), expr.operands))
    mapping.map(operand, emitExpr(builder, *child, leaf));
  return builder.clone(*expr.op, mapping)->getResult(expr.result);
}

} // namespace fuselage

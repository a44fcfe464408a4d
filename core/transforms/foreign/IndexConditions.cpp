#include "core/transforms/foreign/IndexConditions.h"
#include "core/ir/ops/ElementBounds.h"
#include "core/transforms/foreign/ForeignOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {

bool isPayloadAssertion(Operation *op) { return isa<cf::AssertOp>(op) && op->getParentOfType<linalg::LinalgOp>(); }

namespace {

/// The tensor that a scalar of a payload is an element of; null where it is computed.
Value pickedFrom(Value element) {
  while (Operation *op = element.getDefiningOp()) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      return extract.getTensor();
    if (!isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      return {};
    element = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(element);
  auto owner = argument ? dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp()) : linalg::LinalgOp();
  OpOperand *operand = owner ? owner.getMatchingOpOperand(argument) : nullptr;
  return operand && owner.isDpsInput(operand) ? operand->get() : Value();
}

/// The same through ops between tensors that only pick or rename elements; null where they are computed.
Value originOf(Value element) {
  Value tensor = pickedFrom(element);
  while (Operation *op = tensor ? tensor.getDefiningOp() : nullptr) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      unsigned result = cast<OpResult>(tensor).getResultNumber();
      tensor = pickedFrom(generic.getBlock()->getTerminator()->getOperand(result));
      continue;
    }
    if (!isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             linalg::TransposeOp, linalg::BroadcastOp>(op))
      break;
    tensor = op->getOperand(0);
  }
  return tensor;
}

/// A resource's data as elements; null if the file lacks it, or it is of another size.
DenseElementsAttr elementsOf(DenseResourceElementsAttr resource) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  bool isSplat = false;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(), blob->getData(), isSplat) || isSplat)
    return {};
  return DenseElementsAttr::getFromRawBuffer(resource.getType(), blob->getData());
}

/// Whether a constant's elements are all within bounds.
bool holdsFor(ElementsAttr elements, ElementBounds bounds) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    elements = elementsOf(resource);
  if (!elements)
    return false;
  if (!isa<IntegerType>(elements.getElementType()) || elements.getElementType().getIntOrFloatBitWidth() > 64)
    return false;
  auto range = elements.tryGetValues<APInt>();
  return range && llvm::all_of(*range, [&](const APInt &element) {
           return element.getSExtValue() >= bounds.least && element.getSExtValue() <= bounds.greatest;
         });
}

/// Demands bounds of a tensor's elements: of an argument from now on, of a constant at once.
bool demand(Value tensor, ElementBounds bounds) {
  ElementsAttr elements;
  if (matchPattern(tensor, m_Constant(&elements)))
    return holdsFor(elements, bounds);
  return narrowElementBounds(tensor, bounds);
}

/// The bounds that `element <predicate> constant` means.
std::optional<ElementBounds> boundsOf(arith::CmpIPredicate predicate, int64_t constant) {
  using enum arith::CmpIPredicate;
  switch (predicate) {
  case slt:
    return constant == INT64_MIN ? std::nullopt : std::optional(ElementBounds{.greatest = constant - 1});
  case sle:
    return ElementBounds{.greatest = constant};
  case sgt:
    return constant == INT64_MAX ? std::nullopt : std::optional(ElementBounds{.least = constant + 1});
  case sge:
    return ElementBounds{.least = constant};
  case ult:
    return constant <= 0 ? std::nullopt : std::optional(ElementBounds{.least = 0, .greatest = constant - 1});
  default:
    return std::nullopt;
  }
}

/// Gives the argument that the condition speaks of its bounds; false if it speaks of something else. A slice of an
/// argument is bounded as a whole: who fills it in is asked for a little more than the program would.
bool liftCondition(Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return liftCondition(both.getLhs()) && liftCondition(both.getRhs());
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value left = compare.getLhs(), right = compare.getRhs();
  APInt constant;
  if (matchPattern(left, m_ConstantInt(&constant))) {
    std::swap(left, right);
    // a < x is x > a: the mirror, not the opposite.
    static constexpr std::pair<arith::CmpIPredicate, arith::CmpIPredicate> mirrors[] = {
        {arith::CmpIPredicate::slt, arith::CmpIPredicate::sgt},
        {arith::CmpIPredicate::sle, arith::CmpIPredicate::sge},
        {arith::CmpIPredicate::sgt, arith::CmpIPredicate::slt},
        {arith::CmpIPredicate::sge, arith::CmpIPredicate::sle}};
    const auto *mirror = llvm::find_if(mirrors, [&](auto &pair) { return pair.first == compare.getPredicate(); });
    if (mirror == std::end(mirrors))
      return false;
    predicate = mirror->second;
  } else if (!matchPattern(right, m_ConstantInt(&constant))) {
    return false;
  }
  if (constant.getSignificantBits() > 64)
    return false;
  std::optional<ElementBounds> bounds = boundsOf(predicate, constant.getSExtValue());
  Value tensor = originOf(left);
  return bounds && tensor && demand(tensor, *bounds);
}

/// Removes what only the condition needed.
void eraseUnused(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseUnused(operand);
}

} // namespace

void liftPayloadAssertions(ModuleOp module) {
  for (Operation *op : collectOps(module, isPayloadAssertion)) {
    auto assertion = cast<cf::AssertOp>(op);
    Value condition = assertion.getArg();
    if (!liftCondition(condition))
      assertion->emitRemark("is not checked in kernels: ") << assertion.getMsg();
    assertion.erase();
    eraseUnused(condition);
  }
}

} // namespace fuselage

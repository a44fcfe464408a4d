// custom_op is its body on whole tensors, arg_compare a reduction that carries where its choice stood.
#include "core/transforms/composites/CompositeOp.h"
#include "core/transforms/composites/ScalarNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace fuselage {

/// A value in another type of the same rank and elements; null where neither is the other's.
static Value inType(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  bool isCast = tensor::CastOp::areCastCompatible(value.getType(), type);
  return isCast ? tensor::CastOp::create(builder, loc, type, value).getResult() : Value();
}

/// The body's tiles have dynamic sizes; on whole tensors they are those of the operands.
Decomposition decomposeCustomOp(OpBuilder &builder, CompositeOp op) {
  SmallVector<Value> operands(op.inputs());
  llvm::append_range(operands, op.outputs());
  Block *body = op.body();
  if (!op.hasKnownBody() || body->getNumArguments() != operands.size() ||
      body->back().getNumOperands() != op->getNumResults())
    return {};
  for (auto [operand, argument] : llvm::zip_equal(operands, body->getArguments()))
    if (operand.getType() != argument.getType() &&
        !tensor::CastOp::areCastCompatible(operand.getType(), argument.getType()))
      return {};
  for (auto [argument, operand] : llvm::zip_equal(body->getArguments(), operands))
    operand = inType(builder, op.loc(), operand, argument.getType());
  Decomposition results;
  for (auto [yielded, type] : llvm::zip_equal(op.inlineBody(builder, operands), op->getResultTypes())) {
    Value result = inType(builder, op.loc(), yielded, type);
    if (!result)
      return {};
    results.push_back(result);
  }
  return results;
}

/// The body says whether its first element is chosen before its second; of equal ones the first stays.
Decomposition decomposeArgCompare(OpBuilder &builder, CompositeOp op) {
  std::optional<int64_t> dimension = op.integer("dimension");
  if (!dimension || !op.isOnTensors(1, 2) || !op.hasKnownBody() || op.body()->getNumArguments() != 2 ||
      op.body()->back().getNumOperands() != 1 || !op.body()->back().getOperand(0).getType().isInteger(1))
    return {};
  auto type = cast<RankedTensorType>(op.inputs()[0].getType());
  auto values = cast<RankedTensorType>(op.outputs()[0].getType());
  auto places = cast<RankedTensorType>(op.outputs()[1].getType());
  int64_t rank = type.getRank();
  auto hasElement = [&](Value value) { return value.getType() == type.getElementType(); };
  if (*dimension < 0 || *dimension >= rank || values.getRank() != rank - 1 || values.getShape() != places.getShape() ||
      values.getElementType() != type.getElementType() || !isa<IntegerType>(places.getElementType()) ||
      !llvm::all_of(op.body()->getArguments(), hasElement))
    return {};
  AffineMap whole = builder.getMultiDimIdentityMap(rank), reduced = whole.dropResult(*dimension);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  loops[*dimension] = utils::IteratorType::reduction;
  auto generic = linalg::GenericOp::create(
      builder, op.loc(), op->getResultTypes(), op.inputs(), op.outputs(), ArrayRef{whole, reduced, reduced}, loops,
      [&](OpBuilder &inner, Location loc, ValueRange elements) {
        Value at = linalg::IndexOp::create(inner, loc, *dimension);
        Value place = arith::IndexCastOp::create(inner, loc, places.getElementType(), at);
        Value isChosen = op.inlineBody(inner, {elements[0], elements[1]}).front();
        linalg::YieldOp::create(inner, loc,
                                selectAll(inner, loc, isChosen, {elements[0], place}, elements.drop_front()));
      });
  return {generic.getResult(0), generic.getResult(1)};
}

} // namespace fuselage

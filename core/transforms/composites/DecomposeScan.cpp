// scan as a loop that carries its result.
#include "core/transforms/composites/CompositeOp.h"
#include "core/transforms/composites/ScalarNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace fuselage {

/// An inclusive scan starts from the first element, an exclusive one from the accumulator, which in the end holds
/// the last that was computed.
Decomposition decomposeScan(OpBuilder &builder, CompositeOp op) {
  std::optional<int64_t> dimension = op.integer("dimension");
  std::optional<bool> isInclusive = op.boolean("inclusive");
  if (!op.isOnTensors(1, 2) || !dimension || !isInclusive || !op.hasKnownBody() || op.body()->getNumArguments() != 2)
    return {};
  Value input = op.inputs()[0];
  auto type = cast<RankedTensorType>(input.getType());
  auto accumulatorType = cast<RankedTensorType>(op.outputs()[1].getType());
  Type element = type.getElementType();
  auto hasElement = [&](Value value) { return value.getType() == element; };
  if (*dimension < 0 || *dimension >= type.getRank() || op.outputs()[0].getType() != type ||
      accumulatorType.getRank() != type.getRank() - 1 || accumulatorType.getElementType() != element ||
      !llvm::all_of(op.body()->getArguments(), hasElement) || op.body()->back().getNumOperands() != 1 ||
      !hasElement(op.body()->back().getOperand(0)))
    return {};
  SmallVector<Value> sizes = sizeValues(builder, op.loc(), input);
  // Innermost along the scanned dimension.
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < sizes.size(); ++dim)
    if (dim != *dimension)
      order.push_back(dim);
  order.push_back(*dimension);
  SmallVector<Value> extents;
  for (unsigned dim : order)
    extents.push_back(sizes[dim]);
  return scalarNest(builder, op.loc(), extents, op.outputs(),
                    [&](OpBuilder &inner, Location loc, ValueRange loops, ValueRange carried) -> SmallVector<Value> {
                      SmallVector<Value> here(sizes.size()), outer(loops.drop_back());
                      for (auto [at, dim] : llvm::enumerate(order))
                        here[dim] = loops[at];
                      Value at = loops.back(), zero = indexConstant(inner, loc, 0), one = indexConstant(inner, loc, 1);
                      Value isFirst = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq, at, zero);
                      // The element before; of the first one itself, whose result is not used.
                      Value before =
                          arith::SelectOp::create(inner, loc, isFirst, at, arith::SubIOp::create(inner, loc, at, one));
                      SmallVector<Value> previous(here);
                      previous[*dimension] = before;
                      Value accumulator = tensor::ExtractOp::create(inner, loc, carried[1], outer);
                      Value last = tensor::ExtractOp::create(inner, loc, carried[0], previous);
                      Value next = tensor::ExtractOp::create(inner, loc, input, *isInclusive ? here : previous);
                      Value start = *isInclusive ? next : accumulator;
                      Value combined = op.inlineBody(inner, {last, next}).front();
                      Value result = arith::SelectOp::create(inner, loc, isFirst, start, combined);
                      Value kept = arith::SelectOp::create(inner, loc, isFirst, accumulator, combined);
                      return {tensor::InsertOp::create(inner, loc, result, carried[0], here),
                              tensor::InsertOp::create(inner, loc, kept, carried[1], outer)};
                    });
}

} // namespace fuselage

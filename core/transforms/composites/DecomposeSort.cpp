// sort and topk as loops of compare and exchange; equal elements keep their order.
#include "core/transforms/composites/CompositeOp.h"
#include "core/transforms/composites/ScalarNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Whether the body takes pairs of elements of these tensors and yields one boolean.
bool comparesPairs(CompositeOp op, ArrayRef<Type> elements) {
  if (!op.hasKnownBody() || op.body()->getNumArguments() != 2 * elements.size() ||
      op.body()->back().getNumOperands() != 1 || !op.body()->back().getOperand(0).getType().isInteger(1))
    return false;
  for (auto [at, element] : llvm::enumerate(elements))
    if (op.body()->getArgument(2 * at).getType() != element || op.body()->getArgument(2 * at + 1).getType() != element)
      return false;
  return true;
}

/// Extents of a nest over all dimensions but one, then others for it.
SmallVector<Value> extentsAround(ArrayRef<Value> sizes, int64_t dimension, ArrayRef<Value> innermost) {
  SmallVector<Value> extents;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (int64_t(dim) != dimension)
      extents.push_back(size);
  llvm::append_range(extents, innermost);
  return extents;
}

/// A point with `along` in the place of one dimension.
SmallVector<Value> pointAt(ValueRange others, int64_t dimension, Value along) {
  SmallVector<Value> point(others);
  point.insert(point.begin() + dimension, along);
  return point;
}

SmallVector<Value> extractAll(OpBuilder &builder, Location loc, ValueRange tensors, ValueRange at) {
  SmallVector<Value> elements;
  for (Value tensor : tensors)
    elements.push_back(tensor::ExtractOp::create(builder, loc, tensor, at));
  return elements;
}

SmallVector<Value> insertAll(OpBuilder &builder, Location loc, ValueRange elements, ValueRange tensors, ValueRange at) {
  SmallVector<Value> next;
  for (auto [element, tensor] : llvm::zip_equal(elements, tensors))
    next.push_back(tensor::InsertOp::create(builder, loc, element, tensor, at));
  return next;
}

/// The body's arguments alternate: left and right of the first tensor, of the second, ...
SmallVector<Value> interleave(ValueRange left, ValueRange right) {
  SmallVector<Value> pairs;
  for (auto [first, second] : llvm::zip_equal(left, right))
    pairs.append({first, second});
  return pairs;
}

} // namespace

/// Rounds of exchanging neighbours that stand the wrong way round.
Decomposition decomposeSort(OpBuilder &builder, CompositeOp op) {
  std::optional<int64_t> dimension = op.integer("dimension");
  unsigned count = op.outputs().size();
  if (!dimension || count == 0 || !op.isOnTensors(0, count))
    return {};
  SmallVector<Type> elements;
  auto first = cast<RankedTensorType>(op.outputs()[0].getType());
  for (Value output : op.outputs()) {
    auto type = cast<RankedTensorType>(output.getType());
    if (type.getShape() != first.getShape())
      return {};
    elements.push_back(type.getElementType());
  }
  if (*dimension < 0 || *dimension >= first.getRank() || !comparesPairs(op, elements))
    return {};
  SmallVector<Value> sizes = sizeValues(builder, op.loc(), op.outputs()[0]);
  Value length = sizes[*dimension], one = indexConstant(builder, op.loc(), 1);
  Value pairs = arith::MaxSIOp::create(builder, op.loc(), arith::SubIOp::create(builder, op.loc(), length, one),
                                       indexConstant(builder, op.loc(), 0));
  return scalarNest(builder, op.loc(), extentsAround(sizes, *dimension, {length, pairs}), op.outputs(),
                    [&](OpBuilder &inner, Location loc, ValueRange loops, ValueRange carried) {
                      Value here = loops.back(), next = arith::AddIOp::create(inner, loc, here, one);
                      SmallVector<Value> at = pointAt(loops.drop_back(2), *dimension, here);
                      SmallVector<Value> behind = pointAt(loops.drop_back(2), *dimension, next);
                      SmallVector<Value> left = extractAll(inner, loc, carried, at);
                      SmallVector<Value> right = extractAll(inner, loc, carried, behind);
                      Value isWrong = op.inlineBody(inner, interleave(right, left)).front();
                      SmallVector<Value> low = selectAll(inner, loc, isWrong, right, left);
                      SmallVector<Value> high = selectAll(inner, loc, isWrong, left, right);
                      return insertAll(inner, loc, high, insertAll(inner, loc, low, carried, at), behind);
                    });
}

/// Each element moves down the sorted list as far as it goes, and pushes out what it passes.
Decomposition decomposeTopK(OpBuilder &builder, CompositeOp op) {
  std::optional<int64_t> dimension = op.integer("dimension");
  unsigned inputs = op.inputs().size();
  if (!dimension || (inputs != 1 && inputs != 2) || !op.isOnTensors(inputs, 2))
    return {};
  auto type = cast<RankedTensorType>(op.inputs()[0].getType());
  auto values = cast<RankedTensorType>(op.outputs()[0].getType());
  auto places = cast<RankedTensorType>(op.outputs()[1].getType());
  if (*dimension < 0 || *dimension >= type.getRank() || values.getElementType() != type.getElementType() ||
      values.getShape() != places.getShape() || values.getRank() != type.getRank() ||
      !isa<IntegerType>(places.getElementType()) || !comparesPairs(op, type.getElementType()))
    return {};
  if (inputs == 2) {
    auto given = cast<RankedTensorType>(op.inputs()[1].getType());
    if (given.getShape() != type.getShape() || given.getElementType() != places.getElementType())
      return {};
  }
  Location loc = op.loc();
  SmallVector<Value> sizes = sizeValues(builder, loc, op.inputs()[0]);
  Value kept = sizeValues(builder, loc, op.outputs()[0])[*dimension];
  return scalarNest(
      builder, loc, extentsAround(sizes, *dimension, {sizes[*dimension]}), op.outputs(),
      [&](OpBuilder &inner, Location at, ValueRange loops, ValueRange carried) -> SmallVector<Value> {
        SmallVector<Value> others(loops.drop_back()), here = pointAt(others, *dimension, loops.back());
        SmallVector<Value> entering{tensor::ExtractOp::create(inner, at, op.inputs()[0], here)};
        entering.push_back(
            inputs == 2 ? tensor::ExtractOp::create(inner, at, op.inputs()[1], here).getResult()
                        : arith::IndexCastOp::create(inner, at, places.getElementType(), loops.back()).getResult());
        SmallVector<Value> state(carried);
        llvm::append_range(state, entering);
        SmallVector<Value> last = scalarNest(
            inner, at, kept, state, [&](OpBuilder &slot, Location where, ValueRange position, ValueRange now) {
              SmallVector<Value> spot = pointAt(others, *dimension, position.front());
              SmallVector<Value> held = extractAll(slot, where, now.take_front(2), spot);
              Value isBetter = op.inlineBody(slot, {now[2], held[0]}).front();
              SmallVector<Value> stays = selectAll(slot, where, isBetter, now.drop_front(2), held);
              SmallVector<Value> next = insertAll(slot, where, stays, now.take_front(2), spot);
              llvm::append_range(next, selectAll(slot, where, isBetter, held, now.drop_front(2)));
              return next;
            });
        return {last[0], last[1]};
      });
}

} // namespace fuselage

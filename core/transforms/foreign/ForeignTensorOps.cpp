#include "core/transforms/foreign/ForeignTensorOps.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/transforms/composites/BitcastTensor.h"
#include "core/transforms/foreign/ForeignOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The one replacement of an op's one result, made at the builder; null where the op is not as expected.
using Twin = Value (*)(OpBuilder &, Operation *);

RankedTensorType resultType(Operation *op) {
  return op->getNumResults() == 1 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
}
RankedTensorType operandType(Operation *op, unsigned index) {
  return index < op->getNumOperands() ? dyn_cast<RankedTensorType>(op->getOperand(index).getType())
                                      : RankedTensorType();
}

/// Operands [first, first + count) if they are all indices.
std::optional<SmallVector<OpFoldResult>> indices(Operation *op, unsigned first, unsigned count) {
  if (first + count > op->getNumOperands())
    return std::nullopt;
  SmallVector<OpFoldResult> found;
  for (Value operand : op->getOperands().slice(first, count)) {
    if (!operand.getType().isIndex())
      return std::nullopt;
    found.push_back(getAsOpFoldResult(operand));
  }
  return found;
}

/// Sizes of a tensor whose dynamic ones are the operands from `first` on.
std::optional<SmallVector<OpFoldResult>> sizesOf(OpBuilder &builder, Operation *op, RankedTensorType type,
                                                 unsigned first) {
  auto dynamic = indices(op, first, type.getNumDynamicDims());
  if (!dynamic)
    return std::nullopt;
  SmallVector<OpFoldResult> sizes;
  unsigned next = 0;
  for (int64_t extent : type.getShape())
    sizes.push_back(ShapedType::isDynamic(extent) ? (*dynamic)[next++] : builder.getIndexAttr(extent));
  return sizes;
}

Value forward(OpBuilder &, Operation *op) {
  bool fits =
      op->getNumOperands() > 0 && op->getNumResults() == 1 && op->getOperand(0).getType() == op->getResult(0).getType();
  return fits ? op->getOperand(0) : Value();
}

Value makeEmpty(OpBuilder &builder, Operation *op) {
  RankedTensorType type = resultType(op);
  auto sizes = type ? sizesOf(builder, op, type, 0) : std::nullopt;
  return sizes ? tensor::EmptyOp::create(builder, op->getLoc(), *sizes, type.getElementType()) : Value();
}

Value makeSplat(OpBuilder &builder, Operation *op) {
  RankedTensorType type = resultType(op);
  if (!type || op->getNumOperands() == 0 || op->getOperand(0).getType() != type.getElementType())
    return {};
  auto sizes = sizesOf(builder, op, type, 1);
  if (!sizes)
    return {};
  Value empty = tensor::EmptyOp::create(builder, op->getLoc(), *sizes, type.getElementType());
  return linalg::FillOp::create(builder, op->getLoc(), op->getOperand(0), empty).getResult(0);
}

Value makeConstant(OpBuilder &builder, Operation *op) {
  auto value = dyn_cast_or_null<TypedAttr>(op->getAttr("value"));
  Type type = op->getNumResults() == 1 ? op->getResult(0).getType() : Type();
  bool fits = value && value.getType() == type && arith::ConstantOp::isBuildableWith(value, type);
  return fits ? arith::ConstantOp::create(builder, op->getLoc(), value).getResult() : Value();
}

Value makeReshape(OpBuilder &builder, Operation *op) {
  RankedTensorType from = operandType(op, 0), to = resultType(op);
  return from && to ? reshapeTensor(builder, op->getLoc(), op->getOperand(0), to) : Value();
}

/// `slice %source[offsets for sizes]`
Value makeSlice(OpBuilder &builder, Operation *op) {
  RankedTensorType from = operandType(op, 0), to = resultType(op);
  if (!from || !to || from.getRank() != to.getRank() || from.getElementType() != to.getElementType())
    return {};
  unsigned rank = from.getRank();
  // After the source: its dynamic sizes may stand between it and the offsets.
  unsigned first = op->getNumOperands() - to.getNumDynamicDims() - 2 * rank;
  auto offsets = indices(op, first, rank), sizes = indices(op, first + rank, rank);
  if (first < 1 || first > 1 + from.getNumDynamicDims() || !offsets || !sizes)
    return {};
  SmallVector<OpFoldResult> strides(rank, builder.getIndexAttr(1));
  auto inferred = tensor::ExtractSliceOp::inferResultType(from, *sizes);
  Value slice = tensor::ExtractSliceOp::create(builder, op->getLoc(), op->getOperand(0), *offsets, *sizes, strides);
  if (inferred == to)
    return slice;
  return tensor::CastOp::areCastCompatible(inferred, to) ? tensor::CastOp::create(builder, op->getLoc(), to, slice)
                                                         : Value();
}

/// `update %part, %target[offsets]`
Value makeUpdate(OpBuilder &builder, Operation *op) {
  RankedTensorType part = operandType(op, 0), whole = operandType(op, 1);
  if (!part || !whole || part.getRank() != whole.getRank() || resultType(op) != whole || !part.hasStaticShape())
    return {};
  auto offsets = indices(op, 2, part.getRank());
  if (!offsets)
    return {};
  SmallVector<OpFoldResult> sizes, strides(part.getRank(), builder.getIndexAttr(1));
  for (int64_t extent : part.getShape())
    sizes.push_back(builder.getIndexAttr(extent));
  return tensor::InsertSliceOp::create(builder, op->getLoc(), op->getOperand(0), op->getOperand(1), *offsets, sizes,
                                       strides);
}

Value makeExtract(OpBuilder &builder, Operation *op) {
  RankedTensorType from = operandType(op, 0);
  if (!from || op->getNumResults() != 1 || op->getResult(0).getType() != from.getElementType() ||
      !indices(op, 1, from.getRank()))
    return {};
  return tensor::ExtractOp::create(builder, op->getLoc(), op->getOperand(0),
                                   op->getOperands().slice(1, from.getRank()));
}

Value makeInsert(OpBuilder &builder, Operation *op) {
  RankedTensorType into = operandType(op, 1);
  if (!into || resultType(op) != into || op->getOperand(0).getType() != into.getElementType() ||
      !indices(op, 2, into.getRank()))
    return {};
  return tensor::InsertOp::create(builder, op->getLoc(), op->getOperand(0), op->getOperand(1),
                                  op->getOperands().slice(2, into.getRank()));
}

Value makeBitcast(OpBuilder &builder, Operation *op) {
  RankedTensorType from = operandType(op, 0), to = resultType(op);
  return from && to ? bitcastTensor(builder, op->getLoc(), op->getOperand(0), to) : Value();
}

const llvm::StringMap<Twin> &twins() {
  static const llvm::StringMap<Twin> table = {{"util.optimization_barrier", forward},
                                              {"util.assume.int", forward},
                                              {"flow.tensor.tie_shape", forward},
                                              {"flow.tensor.clone", forward},
                                              {"flow.tensor.transfer", forward},
                                              {"flow.tensor.barrier", forward},
                                              {"torch_c.to_builtin_tensor", forward},
                                              {"torch_c.from_builtin_tensor", forward},
                                              {"torch_c.to_i64", forward},
                                              {"torch_c.from_i64", forward},
                                              {"iree_tensor_ext.compute_barrier.start", forward},
                                              {"iree_tensor_ext.compute_barrier.end", forward},
                                              {"flow.tensor.empty", makeEmpty},
                                              {"flow.tensor.splat", makeSplat},
                                              {"flow.tensor.constant", makeConstant},
                                              {"util.unfoldable_constant", makeConstant},
                                              {"flow.tensor.reshape", makeReshape},
                                              {"flow.tensor.slice", makeSlice},
                                              {"flow.tensor.update", makeUpdate},
                                              {"flow.tensor.load", makeExtract},
                                              {"flow.tensor.store", makeInsert},
                                              {"flow.tensor.bitcast", makeBitcast},
                                              {"iree_tensor_ext.bitcast", makeBitcast}};
  return table;
}

/// An op with several results that hands on as many operands.
bool forwardAll(Operation *op) {
  if (!isForeign(op, "util.optimization_barrier") || op->getNumResults() < 2 ||
      op->getOperandTypes() != op->getResultTypes())
    return false;
  op->replaceAllUsesWith(op->getOperands());
  op->erase();
  return true;
}

} // namespace

bool isTensorTwin(Operation *op) { return !op->isRegistered() && twins().contains(displayName(op)); }

bool isWidthBitcast(Operation *op) {
  RankedTensorType from = operandType(op, 0), to = resultType(op);
  return isTensorTwin(op) && twins().lookup(displayName(op)) == makeBitcast && from && to &&
         from.getShape() != to.getShape();
}

void replaceTensorTwins(ModuleOp module, bool portable) {
  for (Operation *op : collectOps(module, isTensorTwin)) {
    if ((portable && isWidthBitcast(op)) || forwardAll(op))
      continue;
    OpBuilder builder(op);
    Value twin = twins().lookup(displayName(op))(builder, op);
    if (!twin || op->getNumResults() != 1 || twin.getType() != op->getResult(0).getType())
      continue;
    op->getResult(0).replaceAllUsesWith(twin);
    op->erase();
  }
}

} // namespace fuselage

#include "core/transforms/dispatch/DispatchSizes.h"
#include "core/dialects/flow/Flow.h"
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace fuselage {

/// The destination that `value` has its sizes from; null if it is no result with a destination.
static Value findDestination(Value value) {
  auto result = dyn_cast<OpResult>(value);
  auto op = result ? dyn_cast<DestinationStyleOpInterface>(result.getOwner()) : DestinationStyleOpInterface();
  return op ? op.getTiedOpOperand(result)->get() : Value();
}

std::optional<Value> findSizeSource(Operation *op) {
  auto dim = dyn_cast<tensor::DimOp>(op);
  auto type = dim ? dyn_cast<RankedTensorType>(dim.getSource().getType()) : RankedTensorType();
  if (!type)
    return std::nullopt;
  int64_t index = dim.getConstantIndex().value_or(-1);
  if (index < 0 || index >= type.getRank())
    return std::nullopt;
  if (!type.isDynamicDim(index))
    return Value();
  Value source = dim.getSource();
  while (Value destination = findDestination(source))
    source = destination;
  if (auto empty = source.getDefiningOp<tensor::EmptyOp>())
    return empty.getDynamicSize(index);
  return source == dim.getSource() ? std::nullopt : std::optional(source);
}

/// A size as its op tells it may be one of another computed tensor, or be made of such.
static OpFoldResult throughSources(RewriterBase &rewriter, OpFoldResult size) {
  auto value = dyn_cast<Value>(size);
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (auto dim = dyn_cast_if_present<tensor::DimOp>(op))
    return findSizeSource(dim) ? sizeOf(rewriter, dim.getSource(), *dim.getConstantIndex()) : size;
  for (Value operand : op ? op->getOperands() : OperandRange(nullptr, 0))
    if (Operation *dim = operand.getDefiningOp(); dim && findSizeSource(dim))
      resolveSize(rewriter, dim);
  return size;
}

/// Erases index arithmetic that nobody reads: as it asks for sizes of tensors, these would have another reader.
static void eraseUnread(RewriterBase &rewriter, Operation *op, llvm::SmallPtrSetImpl<Operation *> &gone) {
  if (!op || gone.contains(op) || !op->use_empty() || !isa<tensor::DimOp, affine::AffineApplyOp>(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  gone.insert(op);
  rewriter.eraseOp(op);
  for (Value operand : operands)
    eraseUnread(rewriter, operand.getDefiningOp(), gone);
}

/// One of the sizes that an op told of its results; what it wrote to tell the others goes.
static OpFoldResult pickSize(RewriterBase &rewriter, const ReifiedRankedShapedTypeDims &sizes, unsigned result,
                             int64_t dim) {
  OpFoldResult wanted = throughSources(rewriter, sizes[result][dim]);
  SmallVector<Operation *> written;
  for (const auto &list : sizes)
    for (OpFoldResult size : list)
      if (auto value = dyn_cast<Value>(size);
          value && size != wanted && !llvm::is_contained(written, value.getDefiningOp()))
        written.push_back(value.getDefiningOp());
  llvm::SmallPtrSet<Operation *, 4> gone;
  for (Operation *op : written)
    eraseUnread(rewriter, op, gone);
  return wanted;
}

OpFoldResult sizeOf(RewriterBase &rewriter, Value value, int64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.isDynamicDim(dim))
    return rewriter.getIndexAttr(type.getDimSize(dim));
  while (Value destination = findDestination(value))
    value = destination;
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
    return empty.getDynamicSize(dim);
  ReifiedRankedShapedTypeDims sizes;
  if (Operation *op = value.getDefiningOp(); op && isComputeOp(op) && succeeded(reifyResultShapes(rewriter, op, sizes)))
    return pickSize(rewriter, sizes, cast<OpResult>(value).getResultNumber(), dim);
  return tensor::getMixedSize(rewriter, value.getLoc(), value, dim);
}

void resolveSize(RewriterBase &rewriter, Operation *op) {
  auto dim = cast<tensor::DimOp>(op);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(dim);
  OpFoldResult size = sizeOf(rewriter, dim.getSource(), *dim.getConstantIndex());
  rewriter.replaceOp(dim, getValueOrCreateConstantIndexOp(rewriter, dim.getLoc(), size));
}

void resolveSizes(RewriterBase &rewriter, Operation *root) {
  SmallVector<Operation *> dims;
  root->walk([&](tensor::DimOp dim) {
    if (dim.getSource().getDefiningOp() && findSizeSource(dim) && !dim->getParentOfType<flow::DispatchRegionOp>())
      dims.push_back(dim);
  });
  for (Operation *dim : dims)
    resolveSize(rewriter, dim);
}

} // namespace fuselage

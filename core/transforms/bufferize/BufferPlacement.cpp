#include "core/transforms/bufferize/BufferPlacement.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The same view of another source; null for views that are none of these.
Value rebuildView(RewriterBase &rewriter, Operation *op, Value source) {
  auto type = cast<MemRefType>(source.getType());
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    MemRefType viewType = memref::SubViewOp::inferRankReducedResultType(
        view.getType().getShape(), type, view.getMixedOffsets(), view.getMixedSizes(), view.getMixedStrides());
    return memref::SubViewOp::create(rewriter, op->getLoc(), viewType, source, view.getMixedOffsets(),
                                     view.getMixedSizes(), view.getMixedStrides());
  }
  if (auto view = dyn_cast<memref::ExpandShapeOp>(op)) {
    auto expanded = memref::ExpandShapeOp::computeExpandedType(type, view.getResultType().getShape(),
                                                               view.getReassociationIndices());
    if (failed(expanded))
      return {};
    return memref::ExpandShapeOp::create(rewriter, op->getLoc(), *expanded, source, view.getReassociationIndices(),
                                         view.getMixedOutputShape());
  }
  if (auto view = dyn_cast<memref::CollapseShapeOp>(op)) {
    if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, view.getReassociationIndices()))
      return {};
    return memref::CollapseShapeOp::create(rewriter, op->getLoc(), source, view.getReassociationIndices());
  }
  if (isa<memref::CastOp>(op))
    return source;
  return {};
}

} // namespace

Value rootBuffer(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

void replaceBuffer(RewriterBase &rewriter, Value from, Value to) {
  for (OpOperand &use : llvm::make_early_inc_range(from.getUses())) {
    Operation *user = use.getOwner();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(user);
    if (isa<ViewLikeOpInterface>(user)) {
      if (Value view = rebuildView(rewriter, user, to)) {
        replaceBuffer(rewriter, user->getResult(0), view);
        rewriter.eraseOp(user);
        continue;
      }
    }
    rewriter.modifyOpInPlace(user, [&] { use.set(to); });
  }
}

std::optional<SmallVector<int64_t>> boundedShape(memref::AllocOp allocation) {
  SmallVector<int64_t> shape(allocation.getType().getShape());
  unsigned dynamic = 0;
  for (int64_t &size : shape) {
    if (!ShapedType::isDynamic(size))
      continue;
    Value value = allocation.getDynamicSizes()[dynamic++];
    auto bound = ValueBoundsConstraintSet::computeConstantBound(presburger::BoundType::UB,
                                                                ValueBoundsConstraintSet::Variable(value),
                                                                /*stopCondition=*/nullptr, /*closedUB=*/true);
    if (failed(bound) || *bound < 0)
      return std::nullopt;
    size = *bound;
  }
  return shape;
}

void placeAllocation(RewriterBase &rewriter, memref::AllocOp allocation, Value buffer) {
  rewriter.setInsertionPoint(allocation);
  if (!allocation.getType().hasStaticShape()) {
    SmallVector<OpFoldResult> zeros(allocation.getType().getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(allocation.getType().getRank(), rewriter.getIndexAttr(1));
    buffer = memref::SubViewOp::create(rewriter, allocation.getLoc(), buffer, zeros, allocation.getMixedSizes(), ones);
  }
  replaceBuffer(rewriter, allocation.getResult(), buffer);
  rewriter.eraseOp(allocation);
}

void forwardResults(RewriterBase &rewriter, Block &entry) {
  SmallVector<memref::CopyOp> copies(entry.getOps<memref::CopyOp>());
  for (memref::CopyOp copy : copies) {
    auto output = dyn_cast<BlockArgument>(copy.getTarget());
    Operation *reshape = copy.getSource().getDefiningOp();
    if (!output || output.getOwner() != &entry || !output.hasOneUse() ||
        !isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp>(reshape) || !reshape->hasOneUse())
      continue;
    auto allocation = reshape->getOperand(0).getDefiningOp<memref::AllocOp>();
    if (!allocation || !allocation.getType().hasStaticShape() || !allocation.getType().getLayout().isIdentity())
      continue;
    // Nothing may read the buffer after the copy: the copy is its end.
    bool isLast = llvm::all_of(allocation->getUsers(), [&](Operation *user) {
      Operation *inEntry = entry.findAncestorOpInBlock(*user);
      return inEntry && inEntry->isBeforeInBlock(copy);
    });
    if (!isLast)
      continue;
    rewriter.setInsertionPointToStart(&entry);
    Value view;
    if (auto collapse = dyn_cast<memref::CollapseShapeOp>(reshape))
      view = memref::ExpandShapeOp::create(rewriter, copy.getLoc(), allocation.getType(), output,
                                           collapse.getReassociationIndices());
    else
      view = memref::CollapseShapeOp::create(rewriter, copy.getLoc(), output,
                                             cast<memref::ExpandShapeOp>(reshape).getReassociationIndices());
    rewriter.eraseOp(copy);
    rewriter.eraseOp(reshape);
    rewriter.replaceOp(allocation, view);
  }
}

Value scratchSlice(RewriterBase &rewriter, Location loc, Block *entry, ArrayRef<int64_t> shape, Type elementType,
                   Value index, int64_t count) {
  SmallVector<int64_t> fullShape{count};
  llvm::append_range(fullShape, shape);
  Value scratch;
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(entry);
    scratch = memref::AllocOp::create(rewriter, loc, MemRefType::get(fullShape, elementType));
  }
  SmallVector<OpFoldResult> offsets(fullShape.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes{rewriter.getIndexAttr(1)};
  SmallVector<OpFoldResult> strides(fullShape.size(), rewriter.getIndexAttr(1));
  offsets[0] = index;
  for (int64_t size : shape)
    sizes.push_back(rewriter.getIndexAttr(size));
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(shape, cast<MemRefType>(scratch.getType()), offsets,
                                                                  sizes, strides);
  return memref::SubViewOp::create(rewriter, loc, type, scratch, offsets, sizes, strides);
}

} // namespace fuselage

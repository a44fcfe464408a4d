#include "core/transforms/unlock/ElementwiseFusion.h"
#include "core/transforms/unlock/Passes.h"
#include "core/transforms/unlock/ReshapePropagation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_ABSORBCONCATPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct AbsorbConcatPass : impl::AbsorbConcatPassBase<AbsorbConcatPass> {
  void runOnOperation() override;
};

/// Whether elementwise ops read the value, directly or through reshapes.
bool feedsElementwise(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
      return feedsElementwise(user->getResult(0));
    return isElementwise(user);
  });
}

/// Writes the payload that computes one element of a value from those of others.
class ElementReader {
public:
  ElementReader(OpBuilder &builder, Location loc) : builder_(builder), loc_(loc) {}

  /// The element of `value` at `indices`, through slices, reshapes and cheap ops that nobody else reads.
  Value read(Value value, SmallVector<Value> indices) {
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
      return read(slice.getSource(), indicesOfSource(slice, indices));
    Operation *op = value.getDefiningOp();
    if (op && isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) && isUnitReshape(op))
      return read(op->getOperand(0), indicesThroughUnits(op, indices));
    if (auto inner = dyn_cast_if_present<linalg::LinalgOp>(op); inner && isReadHere(inner))
      return compute(inner, indices);
    return tensor::ExtractOp::create(builder_, loc_, value, indices);
  }

private:
  /// Whether the op need not be stored: it is cheap, has one result, and nobody else reads that.
  static bool isReadHere(linalg::LinalgOp op) {
    return isElementwise(op) && isOutsideDispatch(op) && op->hasOneUse() && isCheapToRepeat(op) &&
           op.getIndexingMapsArray().back().isPermutation() &&
           llvm::all_of(op.getIndexingMapsArray(),
                        [](AffineMap map) { return isProjectedPermutationWithZeros(map); }) &&
           !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
  }

  Value constant(int64_t value) { return arith::ConstantIndexOp::create(builder_, loc_, value); }

  SmallVector<Value> indicesOfSource(tensor::ExtractSliceOp slice, ArrayRef<Value> indices) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<Value> result;
    size_t next = 0;
    for (auto [dim, offset, stride] : llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides())) {
      Value position = getValueOrCreateConstantIndexOp(builder_, loc_, offset);
      if (!dropped.test(dim)) {
        Value step = getValueOrCreateConstantIndexOp(builder_, loc_, stride);
        Value index = builder_.createOrFold<arith::MulIOp>(loc_, indices[next++], step);
        position = builder_.createOrFold<arith::AddIOp>(loc_, index, position);
      }
      result.push_back(position);
    }
    return result;
  }

  /// The dimensions of other sizes than 1 keep their order.
  SmallVector<Value> indicesThroughUnits(Operation *reshape, ArrayRef<Value> indices) {
    auto source = cast<RankedTensorType>(reshape->getOperand(0).getType());
    auto result = cast<RankedTensorType>(reshape->getResult(0).getType());
    SmallVector<Value> wide;
    for (auto [dim, size] : llvm::enumerate(result.getShape()))
      if (size != 1)
        wide.push_back(indices[dim]);
    SmallVector<Value> own;
    size_t next = 0;
    for (int64_t size : source.getShape())
      own.push_back(size == 1 ? constant(0) : wide[next++]);
    return own;
  }

  Value compute(linalg::LinalgOp op, ArrayRef<Value> indices) {
    AffineMap toLoops = inversePermutation(op.getIndexingMapsArray().back());
    SmallVector<Value> loops;
    for (AffineExpr expr : toLoops.getResults())
      loops.push_back(indices[cast<AffineDimExpr>(expr).getPosition()]);
    IRMapping mapping;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!isa<RankedTensorType>(input->get().getType())) {
        mapping.map(op.getMatchingBlockArgument(input), input->get());
        continue;
      }
      SmallVector<Value> own;
      for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
        own.push_back(isa<AffineDimExpr>(expr) ? loops[cast<AffineDimExpr>(expr).getPosition()] : constant(0));
      mapping.map(op.getMatchingBlockArgument(input), read(input->get(), own));
    }
    for (Operation &payload : op.getBlock()->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(payload))
        mapping.map(index.getResult(), loops[index.getDim()]);
      else
        builder_.clone(payload, mapping);
    }
    return mapping.lookupOrDefault(op.getBlock()->getTerminator()->getOperand(0));
  }

  OpBuilder &builder_;
  Location loc_;
};

/// The result's element: that of the part which the index along the concatenation falls into. All parts are read,
/// at their nearest element, so that nothing is read outside.
Value selectPart(OpBuilder &builder, Location loc, tensor::ConcatOp concat) {
  SmallVector<Value> indices;
  for (int64_t dim = 0; dim < concat.getResultType().getRank(); ++dim)
    indices.push_back(linalg::IndexOp::create(builder, loc, dim));
  Value index = indices[concat.getDim()], selected;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  int64_t end = concat.getResultType().getDimSize(concat.getDim());
  for (Value part : llvm::reverse(concat.getInputs())) {
    int64_t begin = end - cast<RankedTensorType>(part.getType()).getDimSize(concat.getDim());
    Value nearest = index;
    if (selected)
      nearest = arith::MinSIOp::create(builder, loc, nearest, constant(end - 1));
    if (begin > 0) {
      nearest = arith::MaxSIOp::create(builder, loc, nearest, constant(begin));
      nearest = arith::SubIOp::create(builder, loc, nearest, constant(begin));
    }
    SmallVector<Value> own(indices);
    own[concat.getDim()] = nearest;
    Value element = ElementReader(builder, loc).read(part, own);
    if (selected) {
      Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, constant(end));
      element = arith::SelectOp::create(builder, loc, isHere, element, selected);
    }
    selected = element;
    end = begin;
  }
  return selected;
}

/// Few parts of known sizes: all of them are read for each element.
bool isAbsorbable(tensor::ConcatOp concat) {
  constexpr size_t maxParts = 4;
  auto hasSize = [&](Value part) {
    int64_t size = cast<RankedTensorType>(part.getType()).getDimSize(concat.getDim());
    return size > 0 && !ShapedType::isDynamic(size);
  };
  return concat.getInputs().size() >= 2 && concat.getInputs().size() <= maxParts && isOutsideDispatch(concat) &&
         llvm::all_of(concat.getInputs(), hasSize) && feedsElementwise(concat.getResult());
}

void AbsorbConcatPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  DeadOpEraser eraser(getOperation());
  SmallVector<tensor::ConcatOp> concats;
  getOperation()->walk([&](tensor::ConcatOp concat) {
    if (isAbsorbable(concat))
      concats.push_back(concat);
  });
  for (tensor::ConcatOp concat : concats) {
    RankedTensorType type = concat.getResultType();
    rewriter.setInsertionPoint(concat);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, concat.getLoc(), concat.getInputs().front());
    sizes[concat.getDim()] = rewriter.getIndexAttr(type.getDimSize(concat.getDim()));
    Value empty = tensor::EmptyOp::create(rewriter, concat.getLoc(), sizes, type.getElementType());
    SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, concat.getLoc(), empty.getType(), ValueRange(), empty, rewriter.getMultiDimIdentityMap(type.getRank()),
        iterators, [&](OpBuilder &builder, Location loc, ValueRange) {
          linalg::YieldOp::create(builder, loc, selectPart(builder, loc, concat));
        });
    Value result = generic->getResult(0);
    if (result.getType() != type)
      result = tensor::CastOp::create(rewriter, concat.getLoc(), type, result);
    rewriter.replaceOp(concat, result);
  }
  eraser.erase(rewriter);
}

} // namespace
} // namespace fuselage

#include "core/transforms/unlock/ElementReader.h"
#include "core/transforms/unlock/Passes.h"
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
    return isElementwiseOp(user);
  });
}

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
    auto generic = linalg::GenericOp::create(rewriter, concat.getLoc(), empty.getType(), ValueRange(), empty,
                                             rewriter.getMultiDimIdentityMap(type.getRank()), iterators,
                                             [&](OpBuilder &builder, Location loc, ValueRange) {
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

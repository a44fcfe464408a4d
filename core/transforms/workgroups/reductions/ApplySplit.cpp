#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

bool isLongReduction(linalg::LinalgOp op, int64_t mostResults, int64_t leastDepth) {
  // A loop's range is known from one operand, and others need not say it.
  bool isStatic = llvm::all_of(op->getOperandTypes(), [](Type type) {
    return !isa<ShapedType>(type) || cast<ShapedType>(type).hasStaticShape();
  });
  bool isPlain = isStatic && op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 && canSplitReduction(op) &&
                 llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) { return map.isProjectedPermutation(); });
  if (!isPlain)
    return false;
  int64_t results = 1, depth = 1;
  for (auto [range, iterator] : llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    int64_t &product = iterator == utils::IteratorType::parallel ? results : depth;
    if (llvm::MulOverflow(product, range, product))
      return false;
  }
  return results > 0 && results <= mostResults && depth >= leastDepth;
}

/// The reductions as one loop, where they lie behind each other in all operands.
static FailureOr<linalg::GenericOp> joinReductions(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (reductions.size() == 1)
    return op;
  ReassociationIndices together(reductions.begin(), reductions.end());
  bool inRow = together.back() - together.front() + 1 == int64_t(together.size());
  if (!inRow || !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), {together}))
    return failure();
  FailureOr<linalg::CollapseResult> joined = linalg::collapseOpIterationDims(op, {together}, rewriter);
  if (failed(joined))
    return failure();
  rewriter.replaceOp(op, joined->results);
  return cast<linalg::GenericOp>(joined->collapsedOp.getOperation());
}

FailureOr<linalg::GenericOp> collapseReductions(RewriterBase &rewriter, linalg::LinalgOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  FailureOr<linalg::GenericOp> made =
      generic ? FailureOr<linalg::GenericOp>(generic) : linalg::generalizeNamedOp(rewriter, op);
  return failed(made) ? made : joinReductions(rewriter, *made);
}

linalg::GenericOp overRange(RewriterBase &rewriter, linalg::GenericOp op, unsigned loop, int64_t first, int64_t size,
                            Value init) {
  SmallVector<Value> operands;
  for (OpOperand *input : op.getDpsInputOperands()) {
    std::optional<unsigned> dim = op.getMatchingIndexingMap(input).getResultPosition(rewriter.getAffineDimExpr(loop));
    if (!dim) {
      operands.push_back(input->get());
      continue;
    }
    auto type = cast<RankedTensorType>(input->get().getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)),
        strides(type.getRank(), rewriter.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    offsets[*dim] = rewriter.getIndexAttr(first);
    sizes[*dim] = rewriter.getIndexAttr(size);
    operands.push_back(tensor::ExtractSliceOp::create(rewriter, op.getLoc(), input->get(), offsets, sizes, strides));
  }
  operands.push_back(init);
  return cast<linalg::GenericOp>(clone(rewriter, op, op->getResultTypes(), operands));
}

FailureOr<SplitSum> splitLongSum(RewriterBase &rewriter, linalg::LinalgOp op, int64_t parts, Share share,
                                 int64_t steps) {
  OpBuilder::InsertionGuard guard(rewriter);
  FailureOr<linalg::GenericOp> made = collapseReductions(rewriter, op);
  if (failed(made))
    return failure();
  SplitSum sum{.partial = *made, .rest = {}};
  SmallVector<unsigned> reductions;
  sum.partial.getReductionDims(reductions);
  unsigned loop = reductions.front();
  int64_t depth = sum.partial.getStaticLoopRanges()[loop], whole = depth / (parts * steps) * (parts * steps);
  if (parts < 2 || whole < 2 * parts)
    return failure();
  if (whole < depth) {
    linalg::GenericOp all = sum.partial;
    rewriter.setInsertionPoint(all);
    sum.partial = overRange(rewriter, all, loop, 0, whole, all.getDpsInits().front());
    sum.rest = overRange(rewriter, all, loop, whole, depth - whole, sum.partial.getResult(0));
    rewriter.replaceOp(all, sum.rest.getResults());
  }
  unsigned rank = cast<RankedTensorType>(sum.partial.getResult(0).getType()).getRank();
  FailureOr<linalg::SplitReductionResult> split = linalg::splitReduction(rewriter, sum.partial, [&](linalg::LinalgOp) {
    bool isStride = share == Share::Stride;
    return linalg::SplitReductionOptions{parts, isStride ? rank : 0, isStride};
  });
  if (failed(split))
    return failure();
  sum.partial = cast<linalg::GenericOp>(split->splitLinalgOp.getOperation());
  return sum;
}

} // namespace fuselage

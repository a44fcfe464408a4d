#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/reductions/ReductionFactors.h"
#include "core/transforms/workgroups/reductions/ReductionShape.h"
#include "core/transforms/workgroups/sizes/IterationSpace.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

unsigned reductionLoopOf(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return loops.front();
}

/// Creates `op` on `size` iterations of `loop` from `first` on, with `init` as its destination.
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

/// Cuts the iterations from `covered` on off `op`: they become an op of their own after it, which is returned and
/// replaces its result. Null if there are none.
linalg::GenericOp peelRest(RewriterBase &rewriter, linalg::GenericOp &op, int64_t covered) {
  unsigned loop = reductionLoopOf(op);
  int64_t iterations = op.getStaticLoopRanges()[loop];
  if (covered == iterations)
    return {};
  linalg::GenericOp all = op;
  rewriter.setInsertionPoint(all);
  op = overRange(rewriter, all, loop, 0, covered, all.getDpsInits().front());
  linalg::GenericOp rest = overRange(rewriter, all, loop, covered, iterations - covered, op.getResult(0));
  rewriter.replaceOp(all, rest.getResults());
  return rest;
}

/// Returns a divisor of `count` up to `most`, as large as possible; multiples of four are preferred.
int64_t balancedFactor(int64_t count, int64_t most) {
  for (int64_t factor = std::min(count, most); factor >= 4; --factor)
    if (count % factor == 0 && factor % 4 == 0)
      return factor;
  return largestDivisor(count, most);
}

/// Splits one reduction among threads that read it from global memory, and among workgroups.
class ThreadSplitter {
public:
  ThreadSplitter(RewriterBase &rewriter, linalg::GenericOp op, const ReductionSplit &split)
      : rewriter_(rewriter), op_(op), split_(split), partialsFirst_(split.kind == SplitKind::Columns),
        repeated_(repeatedDims(op)) {}

  SplitOps apply() {
    if (contractionDims(op_)) {
      Attribute main = rewriter_.getI64IntegerAttr(mainInput(op_)->getOperandNumber());
      rewriter_.modifyOpInPlace(op_, [&] { op_->setAttr(kThreadReductionAttr, main); });
    }
    TilingConfig requested = readTilingConfig(op_);
    SplitOps ops{.partial = {}, .rest = peelRest(rewriter_, op_, split_.covered())};
    rewriter_.setInsertionPoint(op_);
    ops.partial = factorReduction(rewriter_, op_, factors());
    linalg::GenericOp combined = combineThreads(ops.partial.getResult(0));
    if (split_.workgroups > 1) {
      requestTile(combined, {}, partialsFirst_ ? 1 : 0);
      combined = combineWorkgroups(combined);
    }
    // The kernel that combines the columns of workgroups has the tiles of any reduction.
    if (split_.kind == SplitKind::Rows || split_.workgroups == 1)
      requestTile(ops.rest ? ops.rest : combined, requested, 0);
    rewriter_.replaceOp(op_, combined.getResults());
    return ops;
  }

private:
  /// How threads are combined in the kernel: all at once, or those of a row in two steps that threads share.
  SmallVector<int64_t> combiningSteps() const {
    constexpr int64_t most = 32;
    int64_t last = split_.kind == SplitKind::Rows ? balancedFactor(split_.threads, most) : split_.threads;
    return last == split_.threads ? SmallVector<int64_t>{last} : SmallVector<int64_t>{split_.threads / last, last};
  }

  ReductionFactors factors() const {
    ReductionFactors factors{.loops = {}, .partialsFirst = partialsFirst_};
    if (split_.workgroups > 1)
      factors.loops.push_back({split_.workgroups, false});
    factors.loops.push_back({split_.steps, true});
    for (int64_t threads : combiningSteps())
      factors.loops.push_back({threads, false});
    if (split_.perRead > 1)
      factors.loops.push_back({split_.perRead, true});
    return factors;
  }

  /// Combines the partial results of a workgroup's threads: to the result, or to partial results of workgroups.
  linalg::GenericOp combineThreads(Value partials) {
    Value init = op_.getDpsInits().front();
    SmallVector<int64_t> steps = combiningSteps(), left;
    if (split_.workgroups > 1)
      left.push_back(split_.workgroups);
    unsigned dim = left.size() + (partialsFirst_ ? 0 : cast<RankedTensorType>(init.getType()).getRank());
    linalg::GenericOp combined;
    for (size_t step = 0; step < steps.size(); ++step) {
      SmallVector<int64_t> shape(left);
      shape.append(steps.begin() + step + 1, steps.end());
      Value start = shape.empty() ? init : neutralPartials(rewriter_, op_, shape, partialsFirst_);
      combined = combinePartials(rewriter_, op_, 0, partials, dim, start);
      partials = combined.getResult(0);
    }
    return combined;
  }

  /// Combines the partial results `partials` of workgroups in a kernel of its own, in two steps that threads share.
  linalg::GenericOp combineWorkgroups(linalg::GenericOp partials) {
    int64_t count = split_.workgroups;
    partials->setAttr(kPartialResultsAttr, rewriter_.getI64IntegerAttr(count));
    Value init = op_.getDpsInits().front();
    auto type = cast<RankedTensorType>(init.getType());
    unsigned rank = type.getRank(), dim = partialsFirst_ ? 0 : rank;
    int64_t last = balancedFactor(count, std::clamp<int64_t>(count / 4, 4, 32));
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape;
    for (unsigned each = 0; each <= rank; ++each) {
      ReassociationIndices &group = groups.emplace_back();
      auto add = [&](int64_t extent) {
        group.push_back(shape.size());
        shape.push_back(extent);
      };
      if (each != dim) {
        add(type.getDimSize(each - (partialsFirst_ ? 1 : 0)));
        continue;
      }
      add(count / last);
      add(last);
    }
    // A reshaped value is needed as a whole, which makes the partial results a kernel of their own.
    Value reshaped = tensor::ExpandShapeOp::create(
        rewriter_, op_.getLoc(), RankedTensorType::get(shape, type.getElementType()), partials.getResult(0), groups);
    Value some =
        combinePartials(rewriter_, op_, 0, reshaped, dim, neutralPartials(rewriter_, op_, {last}, partialsFirst_))
            .getResult(0);
    linalg::GenericOp all = combinePartials(rewriter_, op_, 0, some, dim, init);
    all->setAttr(kSplitsAttr, rewriter_.getI64IntegerAttr(count));
    return all;
  }

  /// Requests the tile of `op`, which combines partial results: that of `requested`, if it has one for its loops, else
  /// that of the split, and all rows of a skinny contraction. `partialDims`: dimensions of its result before those of
  /// the reduction's.
  void requestTile(linalg::GenericOp op, const TilingConfig &requested, unsigned partialDims) {
    SmallVector<int64_t> tile = sizesForLoops(requested.workgroup, op.getNumLoops());
    if (tile.empty())
      tile = tileOf(op, partialDims);
    writeTilingConfig(op, {.workgroup = tile, .reduction = {}});
  }

  SmallVector<int64_t> tileOf(linalg::GenericOp op, unsigned partialDims) const {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges(), tile(ranges.size(), 0);
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    auto loopOf = [&](unsigned dim) { return cast<AffineDimExpr>(written.getResult(dim)).getPosition(); };
    if (split_.kind == SplitKind::Rows) {
      shareOut(llvm::to_vector_of<unsigned>(llvm::reverse(parallel)), ranges, split_.tile, tile);
    } else {
      for (unsigned loop : parallel)
        tile[loop] = 1;
      tile[loopOf(written.getNumResults() - 1)] = split_.tile;
    }
    for (unsigned dim : repeated_)
      tile[loopOf(dim + partialDims)] = ranges[loopOf(dim + partialDims)];
    return tile;
  }

  RewriterBase &rewriter_;
  linalg::GenericOp op_;
  const ReductionSplit &split_;
  const bool partialsFirst_;
  const SmallVector<unsigned> repeated_;
};

/// Returns `op` with its reduction loops collapsed to one, if they are contiguous in all operands.
FailureOr<linalg::GenericOp> collapseGeneric(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  if (loops.size() == 1)
    return op;
  ReassociationIndices together(loops.begin(), loops.end());
  bool isContiguous = together.back() - together.front() + 1 == int64_t(together.size());
  if (!isContiguous || !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), {together}))
    return failure();
  FailureOr<linalg::CollapseResult> collapsed = linalg::collapseOpIterationDims(op, {together}, rewriter);
  if (failed(collapsed))
    return failure();
  rewriter.replaceOp(op, collapsed->results);
  return cast<linalg::GenericOp>(collapsed->collapsedOp.getOperation());
}

} // namespace

FailureOr<linalg::GenericOp> collapseReductions(RewriterBase &rewriter, linalg::LinalgOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  FailureOr<linalg::GenericOp> made =
      generic ? FailureOr<linalg::GenericOp>(generic) : linalg::generalizeNamedOp(rewriter, op);
  return failed(made) ? made : collapseGeneric(rewriter, *made);
}

FailureOr<SplitOps> applySplit(RewriterBase &rewriter, linalg::LinalgOp op, const ReductionSplit &split) {
  OpBuilder::InsertionGuard guard(rewriter);
  FailureOr<linalg::GenericOp> generic = collapseReductions(rewriter, op);
  if (failed(generic) || split.threads < 2 || split.covered() < 2 * split.threads)
    return failure();
  if (split.kind == SplitKind::Rows || split.kind == SplitKind::Columns)
    return ThreadSplitter(rewriter, *generic, split).apply();
  SplitOps ops{.partial = *generic, .rest = {}};
  ops.rest = peelRest(rewriter, ops.partial, split.covered());
  unsigned rank = cast<RankedTensorType>(ops.partial.getResult(0).getType()).getRank();
  bool isStrided = split.kind == SplitKind::Strided;
  FailureOr<linalg::SplitReductionResult> made = linalg::splitReduction(rewriter, ops.partial, [&](linalg::LinalgOp) {
    return linalg::SplitReductionOptions{split.threads, isStrided ? rank : 0, isStrided};
  });
  if (failed(made))
    return failure();
  ops.partial = cast<linalg::GenericOp>(made->splitLinalgOp.getOperation());
  return ops;
}

} // namespace fuselage

#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_SPLITREDUCTIONPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct SplitReductionPass : impl::SplitReductionPassBase<SplitReductionPass> {
  void runOnOperation() override;
};

Value yieldedFor(OpResult result) {
  auto op = cast<linalg::GenericOp>(result.getOwner());
  return op.getBody()->getTerminator()->getOperand(result.getResultNumber());
}

/// The payload ops that a result is computed from, in order; nullopt: it depends on what was computed before, or on
/// loops that the result does not have. Then it is no map of its own.
std::optional<SmallVector<Operation *>> sliceOf(linalg::GenericOp op, OpResult result) {
  AffineMap written = op.getIndexingMapMatchingResult(result);
  auto hasLoop = [&](unsigned loop) {
    return written.getResultPosition(getAffineDimExpr(loop, op.getContext())).has_value();
  };
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> pending{yieldedFor(result)};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *payload = value.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == op.getBody()) {
      OpOperand *operand = op.getMatchingOpOperand(argument);
      AffineMap read = op.getMatchingIndexingMap(operand);
      for (unsigned loop = 0; loop < read.getNumDims(); ++loop)
        if (!op.isDpsInput(operand) || (read.isFunctionOfDim(loop) && !hasLoop(loop)))
          return std::nullopt;
      continue;
    }
    if (!payload || payload->getBlock() != op.getBody() || !slice.insert(payload))
      continue;
    auto index = dyn_cast<linalg::IndexOp>(payload);
    if (payload->getNumRegions() > 0 || !isPure(payload) || (index && !hasLoop(index.getDim())))
      return std::nullopt;
    llvm::append_range(pending, payload->getOperands());
  }
  SmallVector<Operation *> ordered = slice.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

/// The op that computes the result alone, with the loops that the result has.
linalg::GenericOp buildMap(RewriterBase &rewriter, linalg::GenericOp op, OpResult result, ArrayRef<Operation *> slice) {
  AffineMap written = op.getIndexingMapMatchingResult(result);
  unsigned rank = written.getNumResults();
  // From the result's dimensions to the op's loops; those that the result lacks are not asked for.
  AffineMap toLoops = inverseAndBroadcastProjectedPermutation(written);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    inputs.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input).compose(toLoops));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  rewriter.setInsertionPoint(op);
  return linalg::GenericOp::create(
      rewriter, op.getLoc(), result.getType(), inputs, op.getDpsInits()[result.getResultNumber()], maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (unsigned input = 0; input < inputs.size(); ++input)
          mapping.map(op.getBody()->getArgument(input), arguments[input]);
        for (Operation *payload : slice) {
          Operation *copy = builder.clone(*payload, mapping);
          if (auto index = dyn_cast<linalg::IndexOp>(copy))
            index.setDim(
                *written.getResultPosition(getAffineDimExpr(cast<linalg::IndexOp>(payload).getDim(), op.getContext())));
        }
        linalg::YieldOp::create(builder, loc, mapping.lookupOrDefault(yieldedFor(result)));
      });
}

/// Lets what is left of the reduction read the result that an op of its own computes now, as far as its other results
/// are made of it.
linalg::GenericOp readMapped(RewriterBase &rewriter, linalg::GenericOp op, OpResult result, Value mapped) {
  Value yielded = yieldedFor(result);
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.insert(maps.begin() + inputs.size(), op.getIndexingMapMatchingResult(result));
  inputs.push_back(mapped);
  rewriter.setInsertionPoint(op);
  auto left = linalg::GenericOp::create(rewriter, op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(), maps,
                                        op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), left.getRegion(), left.getRegion().begin());
  Value now = left.getBody()->getTerminator()->getOperand(result.getResultNumber());
  Value element = left.getBody()->insertArgument(inputs.size() - 1, yielded.getType(), op.getLoc());
  rewriter.replaceAllUsesWith(now, element);
  return left;
}

/// A result that is not reduced gets an op of its own: the exponentials that are written while they are added up, or
/// the number of elements that a pooling averages.
bool splitResult(RewriterBase &rewriter, linalg::GenericOp op) {
  for (OpResult result : op->getResults()) {
    AffineMap written = op.getIndexingMapMatchingResult(result);
    std::optional<SmallVector<Operation *>> slice = sliceOf(op, result);
    if (!slice || result.use_empty() || !written.isProjectedPermutation())
      continue;
    linalg::GenericOp own = buildMap(rewriter, op, result, *slice);
    rewriter.replaceAllUsesWith(result, own->getResult(0));
    bool isComputed = !slice->empty() && written.isPermutation();
    linalg::GenericOp left = isComputed ? readMapped(rewriter, op, result, own->getResult(0)) : op;
    if (left != op)
      rewriter.replaceOp(op, left->getResults());
    RewritePatternSet patterns(op.getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    applyPatternsTo({own, left}, std::move(patterns));
    return true;
  }
  return false;
}

/// Several results, and at least one iteration that writes them.
bool mayMap(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && op->getNumResults() > 1 && generic.getNumReductionLoops() > 0 &&
         llvm::all_of(generic.getStaticLoopRanges(), [](int64_t size) { return size > 0; });
}

void SplitReductionPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  // What is left of an op is asked again: each time it has a result less.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (Operation *op : readOpsOutsideDispatches(getOperation(), mayMap))
      isChanged |= splitResult(rewriter, cast<linalg::GenericOp>(op));
  }
}

} // namespace
} // namespace fuselage

#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_DROPUNUSEDRESULTSPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

/// Whether somebody reads some results of the op, but not all.
bool isReadInPart(Operation *op) {
  return isa<linalg::GenericOp>(op) && op->getNumResults() > 1 &&
         llvm::any_of(op->getResults(), [](OpResult result) { return result.use_empty(); });
}

/// The payload ops that a result is computed from, in order; nullopt: it depends on operands, or on loops that the
/// result does not have.
std::optional<SmallVector<Operation *>> slicesOfIndices(linalg::GenericOp op, OpResult result) {
  AffineMap written = op.getIndexingMapMatchingResult(result);
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> pending{op.getBody()->getTerminator()->getOperand(result.getResultNumber())};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *payload = value.getDefiningOp();
    if (!payload && cast<BlockArgument>(value).getOwner() == op.getBody())
      return std::nullopt;
    if (!payload || payload->getBlock() != op.getBody() || !slice.insert(payload))
      continue;
    auto index = dyn_cast<linalg::IndexOp>(payload);
    if (payload->getNumRegions() > 0 || !isPure(payload) ||
        (index && !written.getResultPosition(getAffineDimExpr(index.getDim(), op.getContext()))))
      return std::nullopt;
    llvm::append_range(pending, payload->getOperands());
  }
  SmallVector<Operation *> ordered = slice.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

/// A reduction that overwrites one of its results with the same value again and again, such as the number of elements
/// that a pooling averages: an op of its own computes that, once.
void splitUnreduced(RewriterBase &rewriter, linalg::GenericOp op) {
  for (OpResult result : op->getResults()) {
    AffineMap written = op.getIndexingMapMatchingResult(result);
    std::optional<SmallVector<Operation *>> slice = slicesOfIndices(op, result);
    if (!slice || !written.isProjectedPermutation())
      continue;
    rewriter.setInsertionPoint(op);
    unsigned rank = written.getNumResults();
    SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
    auto own = linalg::GenericOp::create(
        rewriter, op.getLoc(), result.getType(), ValueRange(), op.getDpsInits()[result.getResultNumber()],
        rewriter.getMultiDimIdentityMap(rank), iterators, [&](OpBuilder &builder, Location loc, ValueRange) {
          IRMapping mapping;
          for (Operation *payload : *slice) {
            Operation *copy = builder.clone(*payload, mapping);
            if (auto index = dyn_cast<linalg::IndexOp>(copy))
              index.setDim(*written.getResultPosition(
                  getAffineDimExpr(cast<linalg::IndexOp>(payload).getDim(), op.getContext())));
          }
          Value yielded = op.getBody()->getTerminator()->getOperand(result.getResultNumber());
          linalg::YieldOp::create(builder, loc, mapping.lookupOrDefault(yielded));
        });
    rewriter.replaceAllUsesWith(result, own->getResult(0));
  }
}

/// Several results, and at least one iteration that writes them.
bool mayOverwrite(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && op->getNumResults() > 1 && generic.getNumReductionLoops() > 0 &&
         llvm::all_of(generic.getStaticLoopRanges(), [](int64_t size) { return size > 0; });
}

struct DropUnusedResultsPass : impl::DropUnusedResultsPassBase<DropUnusedResultsPass> {
  void runOnOperation() override {
    DeadOpEraser eraser(getOperation());
    IRRewriter rewriter(&getContext());
    for (Operation *op : readOpsOutsideDispatches(getOperation(), mayOverwrite))
      splitUnreduced(rewriter, cast<linalg::GenericOp>(op));
    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    applyPatternsTo(readOpsOutsideDispatches(getOperation(), isReadInPart), std::move(patterns));
    eraser.erase(rewriter);
  }
};

} // namespace
} // namespace fuselage

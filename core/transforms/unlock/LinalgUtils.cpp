#include "core/transforms/unlock/LinalgUtils.h"
#include "core/dialects/flow/Flow.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {

bool isOutsideDispatch(Operation *op) {
  if (op->getParentOfType<flow::DispatchRegionOp>())
    return false;
  auto function = op->getParentOfType<FunctionOpInterface>();
  return !function || !function->hasAttr(kDispatchAttr);
}

SmallVector<linalg::LinalgOp> linalgOpsOutsideDispatches(FunctionOpInterface function) {
  SmallVector<linalg::LinalgOp> ops;
  if (function->hasAttr(kDispatchAttr))
    return ops;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<flow::DispatchRegionOp>(op))
      return WalkResult::skip();
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return WalkResult::advance();
    if (isComputeOp(op))
      ops.push_back(linalgOp);
    return WalkResult::skip();
  });
  return ops;
}

bool isContraction(linalg::LinalgOp op) { return op->getNumResults() == 1 && linalg::isaContractionOpInterface(op); }

FailureOr<linalg::GenericOp> toGeneric(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  return linalg::generalizeNamedOp(rewriter, op);
}

linalg::GenericOp buildLike(RewriterBase &rewriter, linalg::LinalgOp like, ValueRange inputs, ValueRange inits,
                            ArrayRef<AffineMap> maps) {
  auto generic = linalg::GenericOp::create(rewriter, like.getLoc(), inits.getTypes(), inputs, inits, maps,
                                           like.getIteratorTypesArray());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.cloneRegionBefore(*like.getBlock()->getParent(), generic.getRegion(), generic.getRegion().begin());
  return generic;
}

AffineMap moveMap(linalg::LinalgOp move) {
  OpOperand *source = findMovedInput(move);
  AffineMap written = move.getMatchingIndexingMap(move.getDpsInitOperand(0));
  if (!source || !written.isPermutation())
    return {};
  return move.getMatchingIndexingMap(source).compose(inversePermutation(written));
}

bool coverLoops(ArrayRef<AffineMap> maps) {
  return maps.empty() || inversePermutation(concatAffineMaps(maps, maps.front().getContext()));
}

Value filledWith(Value value) {
  auto fill = value.getDefiningOp<linalg::LinalgOp>();
  if (!fill || !isElementwiseOp(fill) || fill->getNumResults() != 1)
    return {};
  auto yielded = cast<linalg::YieldOp>(fill.getBlock()->getTerminator()).getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(yielded); argument && argument.getOwner() == fill.getBlock()) {
    OpOperand *source = fill.getMatchingOpOperand(argument);
    bool isScalar = fill.isDpsInput(source) && !isa<ShapedType>(source->get().getType());
    return isScalar ? source->get() : Value();
  }
  bool isOutside = !fill.getBlock()->getParent()->isAncestor(yielded.getParentRegion());
  return isOutside ? yielded : Value();
}

SmallVector<int64_t> staticLoopRanges(linalg::LinalgOp op) { return llvm::to_vector(op.getStaticLoopRanges()); }

void eraseDead(RewriterBase &rewriter, ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      rewriter.eraseOp(op);
}

/// Outside of dispatches, on tensors only, and without effects, in the order in which walks meet them.
static SmallVector<Operation *> tensorOpsOutsideDispatches(FunctionOpInterface function) {
  SmallVector<Operation *> ops;
  // What is in a loop comes after the loop, and so goes before it.
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool onTensors = op->getNumResults() > 0 && llvm::all_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
    if (onTensors && isOutsideDispatch(op) && isMemoryEffectFree(op))
      ops.push_back(op);
  });
  return ops;
}

SmallVector<Operation *> readOpsOutsideDispatches(FunctionOpInterface function,
                                                  llvm::function_ref<bool(Operation *)> isWanted) {
  SmallVector<Operation *> ops = tensorOpsOutsideDispatches(function);
  llvm::erase_if(ops, [&](Operation *op) { return op->use_empty() || !isWanted(op); });
  return ops;
}

void applyPatternsTo(ArrayRef<Operation *> ops, RewritePatternSet patterns, bool alsoNew) {
  if (ops.empty())
    return;
  GreedyRewriteConfig config;
  config.setStrictness(alsoNew ? GreedyRewriteStrictness::ExistingAndNewOps : GreedyRewriteStrictness::ExistingOps);
  // Not reaching a fixpoint within the driver's limit leaves valid IR.
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}

DeadOpEraser::DeadOpEraser(FunctionOpInterface function) : function_(function) {
  for (Operation *op : tensorOpsOutsideDispatches(function))
    if (op->use_empty())
      unread_.insert(op);
}

void DeadOpEraser::erase(RewriterBase &rewriter) {
  SmallVector<Operation *> ops = tensorOpsOutsideDispatches(function_);
  llvm::erase_if(ops, [&](Operation *op) { return unread_.contains(op); });
  eraseDead(rewriter, ops);
}

} // namespace fuselage

#include "core/transforms/composites/UpstreamComposites.h"
#include "core/ir/ops/CollectOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {

static bool isOnTensors(Operation *op) {
  return op->getNumResults() > 0 && llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

static bool isWinograd(Operation *op) {
  return isa<linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp, linalg::WinogradOutputTransformOp>(
      op);
}

std::string whyNotDecomposed(Operation *op) {
  if (!isWinograd(op) && !isa<linalg::AggregatedOpInterface>(op))
    return "";
  if (!isOnTensors(op))
    return "is not on tensors";
  if (!isWinograd(op) && !isa<linalg::SoftmaxOp>(op))
    return "";
  for (Type type : op->getOperandTypes())
    if (Type element = getElementTypeOrSelf(type); !isa<FloatType>(element))
      return "is of " + debugString(element) + ", and " + (isWinograd(op) ? "Winograd's matrices are" : "exp is") +
             " of floats";
  return "";
}

FailureOr<SmallVector<Value>> decompose(RewriterBase &rewriter, linalg::AggregatedOpInterface op) {
  if (!whyNotDecomposed(op).empty())
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  return op.decomposeOperation(rewriter);
}

static bool isComposite(Operation *op) {
  return isOnTensors(op) &&
         isa<linalg::PackOp, linalg::UnPackOp, linalg::AggregatedOpInterface, tensor::GatherOp, tensor::ScatterOp>(op);
}

/// Upstream's pattern would write floats of 32 bits into a constant of smaller integers.
static bool isDecomposedWinograd(Operation *op) { return isWinograd(op) && whyNotDecomposed(op).empty(); }

static void decomposeOne(Operation *op) {
  IRRewriter rewriter(op);
  if (auto pack = dyn_cast<linalg::PackOp>(op)) {
    (void)linalg::lowerPack(rewriter, pack);
  } else if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
    (void)linalg::lowerUnPack(rewriter, unpack);
  } else if (auto gather = dyn_cast<tensor::GatherOp>(op)) {
    rewriter.replaceOp(op, decompose(rewriter, gather));
  } else if (auto scatter = dyn_cast<tensor::ScatterOp>(op)) {
    rewriter.replaceOp(op, decompose(rewriter, scatter));
  } else if (auto parts = decompose(rewriter, cast<linalg::AggregatedOpInterface>(op)); succeeded(parts)) {
    if (parts->size() == op->getNumResults())
      rewriter.replaceOp(op, *parts);
  }
}

static bool isFusable(Operation *op) { return isa<linalg::PackOp, linalg::UnPackOp, linalg::SoftmaxOp>(op); }

bool isUnfusableComposite(Operation *op) { return isDecomposedWinograd(op) || (isComposite(op) && !isFusable(op)); }

void decomposeUpstreamComposites(Operation *root, bool keepFusable) {
  for (Operation *op : collectOps(root, isComposite))
    if (!keepFusable || !isFusable(op))
      decomposeOne(op);
  SmallVector<Operation *> winograd = collectOps(root, isDecomposedWinograd);
  if (winograd.empty())
    return;
  RewritePatternSet patterns(root->getContext());
  linalg::populateDecomposeWinogradOpsPatterns(patterns);
  (void)applyOpPatternsGreedily(winograd, std::move(patterns));
}

} // namespace fuselage

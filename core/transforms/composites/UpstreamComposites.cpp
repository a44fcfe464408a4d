#include "core/transforms/composites/UpstreamComposites.h"
#include "core/ir/ops/CollectOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace fuselage {

static bool isOnTensors(Operation *op) {
  return op->getNumResults() > 0 &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

std::string whyNotDecomposed(linalg::AggregatedOpInterface op) {
  if (!isOnTensors(op))
    return "is not on tensors";
  auto softmax = dyn_cast<linalg::SoftmaxOp>(op.getOperation());
  Type element = softmax ? softmax.getInputOperandType().getElementType() : Type();
  if (!softmax || isa<FloatType>(element))
    return "";
  return "is of " + debugString(element) + ", and exp is of floats";
}

FailureOr<SmallVector<Value>> decompose(RewriterBase &rewriter, linalg::AggregatedOpInterface op) {
  if (!whyNotDecomposed(op).empty())
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  return op.decomposeOperation(rewriter);
}

static bool isComposite(Operation *op) {
  return isOnTensors(op) && isa<linalg::PackOp, linalg::UnPackOp, linalg::AggregatedOpInterface,
                                tensor::GatherOp, tensor::ScatterOp>(op);
}

static bool isWinograd(Operation *op) {
  return isOnTensors(op) && isa<linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp,
                                linalg::WinogradOutputTransformOp>(op);
}

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
  } else if (auto parts = decompose(rewriter, cast<linalg::AggregatedOpInterface>(op));
             succeeded(parts)) {
    if (parts->size() == op->getNumResults())
      rewriter.replaceOp(op, *parts);
  }
}

static bool isFusable(Operation *op) {
  return isa<linalg::PackOp, linalg::UnPackOp, linalg::SoftmaxOp>(op);
}

bool hasUpstreamComposites(Operation *root) {
  return !collectOps(root, [](Operation *op) {
            return isWinograd(op) || (isComposite(op) && !isFusable(op));
          }).empty();
}

void decomposeUpstreamComposites(Operation *root, bool keepFusable) {
  for (Operation *op : collectOps(root, isComposite))
    if (!keepFusable || !isFusable(op))
      decomposeOne(op);
  SmallVector<Operation *> winograd = collectOps(root, isWinograd);
  if (winograd.empty())
    return;
  RewritePatternSet patterns(root->getContext());
  linalg::populateDecomposeWinogradOpsPatterns(patterns);
  (void)applyOpPatternsGreedily(winograd, std::move(patterns));
}

} // namespace fuselage

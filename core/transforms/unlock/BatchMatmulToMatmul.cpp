#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_BATCHMATMULTOMATMULPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct BatchMatmulToMatmulPass : impl::BatchMatmulToMatmulPassBase<BatchMatmulToMatmulPass> {
  void runOnOperation() override;
};

/// Whether the op has the maps that its name says; the stock patterns assume those.
bool hasUsualMaps(Operation *op) {
  if (auto batch = dyn_cast<linalg::BatchMatmulOp>(op))
    return !batch.hasUserDefinedMaps();
  return true;
}

/// A linalg.contract of a batch of one is the named op that it is, where it has a name.
linalg::LinalgOp namedContraction(IRRewriter &rewriter, linalg::LinalgOp op) {
  if (!isa<linalg::ContractOp>(op.getOperation()))
    return op;
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (failed(dims) || dims->batch.size() != 1 || dims->m.size() != 1 || dims->n.size() != 1 || dims->k.size() != 1 ||
      op.getStaticLoopRanges()[dims->batch.front()] != 1 || !op.hasPureTensorSemantics())
    return op;
  FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, op);
  if (failed(generic))
    return op;
  FailureOr<linalg::LinalgOp> named = toNamed(rewriter, *generic);
  return succeeded(named) ? *named : cast<linalg::LinalgOp>(generic->getOperation());
}

void BatchMatmulToMatmulPass::runOnOperation() {
  SmallVector<Operation *> candidates;
  IRRewriter rewriter(&getContext());
  for (linalg::LinalgOp written : linalgOpsOutsideDispatches(getOperation())) {
    linalg::LinalgOp op = namedContraction(rewriter, written);
    if (!isa<linalg::BatchMatmulOp, linalg::BatchMatvecOp, linalg::BatchVecmatOp>(op.getOperation()))
      continue;
    auto type = cast<RankedTensorType>(op.getDpsInits()[0].getType());
    if (type.isDynamicDim(0))
      op->emitRemark("stays a batch: its size is not known to be 1");
    else if (type.getDimSize(0) == 1 && !hasUsualMaps(op))
      op->emitRemark("stays a batch: its operands have indexing maps of their own; generalize it "
                     "and fold its unit dimensions instead");
    else if (type.getDimSize(0) == 1)
      candidates.push_back(op);
  }
  if (candidates.empty())
    return;
  RewritePatternSet patterns(&getContext());
  linalg::populateContractionOpRankReducingPatterns(patterns);
  linalg::FillOp::getCanonicalizationPatterns(patterns, &getContext());
  for (Operation *op : llvm::to_vector(candidates))
    for (Operation *user : op->getUsers())
      if (isa<tensor::CollapseShapeOp>(user) && isOutsideDispatch(user))
        candidates.push_back(user);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, &getContext());
  applyPatternsTo(candidates, std::move(patterns));
}

} // namespace
} // namespace fuselage

#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
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

void BatchMatmulToMatmulPass::runOnOperation() {
  SmallVector<Operation *> candidates;
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation())) {
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

#include "core/codegen/host/Passes.h"
#include "core/codegen/host/Refusal.h"
#include "core/transforms/composites/UpstreamComposites.h"
#include "core/transforms/workgroups/reductions/WidenAccumulators.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTLEGALIZETENSORSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
/// Composite ops that are not written out by now have a reason, which bufferization does not know.
static LogicalResult refuseComposites(ModuleOp module) {
  return refuseFirst(module, [](Operation *op) {
    std::string why = whyNotDecomposed(op);
    return why.empty() ? why : "it " + why;
  });
}

namespace {

/// tensor.expand_shape with several sizes of one dimension that are known only when it runs becomes
/// tensor.reshape: upstream's expansion of strided metadata crashes on it.
struct ReshapeDynamically : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op, PatternRewriter &rewriter) const override {
    auto isDynamic = [&](int64_t dim) { return op.getResultType().isDynamicDim(dim); };
    if (llvm::none_of(op.getReassociationIndices(),
                      [&](const ReassociationIndices &group) { return llvm::count_if(group, isDynamic) > 1; }))
      return failure();
    SmallVector<OpFoldResult> sizes = getMixedValues(op.getStaticOutputShape(), op.getOutputShape(), rewriter);
    SmallVector<Value> shape;
    for (OpFoldResult size : sizes)
      shape.push_back(getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
    Value shapeTensor = tensor::FromElementsOp::create(rewriter, op.getLoc(), shape);
    rewriter.replaceOpWithNewOp<tensor::ReshapeOp>(op, op.getResultType(), op.getSrc(), shapeTensor);
    return success();
  }
};

struct HostLegalizeTensors : impl::HostLegalizeTensorsPassBase<HostLegalizeTensors> {
  using HostLegalizeTensorsPassBase::HostLegalizeTensorsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(refuseUnregistered(module)))
      return signalPassFailure();
    decomposeUpstreamComposites(module);
    if (failed(refuseComposites(module)))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<ReshapeDynamically>(&getContext());
    arith::populateExpandScalingExtTruncPatterns(patterns); // while the types are still those that it takes
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    (void)applyPatternsGreedily(module, std::move(patterns));
    widenAccumulators(module, {.longReductions = wideAccumulators, .wideProducts = !wideAccumulators});
  }
};

} // namespace
} // namespace fuselage

#include "core/transforms/DispatchBody.h"
#include "core/transforms/DispatchNormalization.h"
#include "core/transforms/Passes.h"
#include "core/transforms/TileCleanup.h"
#include "core/transforms/WorkgroupTiling.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuselage {
#define GEN_PASS_DEF_TILETOWORKGROUPSPASS
#include "core/transforms/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct TileToWorkgroupsPass : impl::TileToWorkgroupsPassBase<TileToWorkgroupsPass> {
  using TileToWorkgroupsPassBase::TileToWorkgroupsPassBase;
  void runOnOperation() override {
    if (maxWorkgroupBytes < 0) {
      getOperation()->emitError("fuselage-tile-to-workgroups: max-workgroup-bytes is ")
          << maxWorkgroupBytes << "; give a number of bytes, 0 or more";
      return signalPassFailure();
    }
    SmallVector<Block *> bodies;
    forEachDispatchBody(getOperation(), [&](Block &body) { bodies.push_back(&body); });
    for (Block *body : bodies)
      if (failed(tileBody(*body)))
        return signalPassFailure();
  }

private:
  LogicalResult tileBody(Block &body);
  LogicalResult overrideTiles(KernelPlan &plan) const;
};

/// True if a loop over workgroups is there already.
bool hasForall(Block &body) { return !body.getOps<scf::ForallOp>().empty(); }

LogicalResult TileToWorkgroupsPass::tileBody(Block &body) {
  if (hasForall(body))
    return success();
  IRRewriter rewriter(&getContext());
  normalizeDispatch(rewriter, body);
  TilingPolicy policy;
  policy.maxWorkgroupBytes = maxWorkgroupBytes;
  std::vector<KernelPlan> plans = planKernels(body, policy);
  if (plans.empty()) {
    body.getParentOp()->emitRemark("nothing to tile: no op of this dispatch computes a tensor by "
                                   "loops; it runs as one workgroup");
    return success();
  }
  if (!tileSizes.empty() && failed(overrideTiles(plans.back())))
    return failure();
  for (KernelPlan &plan : plans) {
    Operation *root = plan.root;
    Location loc = root->getLoc();
    std::string name = root->getName().getStringRef().str();
    if (failed(tileKernel(rewriter, plan)))
      emitRemark(loc) << name << " is left as it is: it cannot be tiled to a loop over workgroups";
  }
  cleanUpTiles(body);
  return success();
}

/// Replaces what was planned for the last root by the option `tile-sizes`.
LogicalResult TileToWorkgroupsPass::overrideTiles(KernelPlan &plan) const {
  SmallVector<utils::IteratorType> iterators = plan.root.getLoopIteratorTypes();
  if (tileSizes.size() > iterators.size())
    return plan.root.emitOpError("has ") << iterators.size() << " loops, but tile-sizes lists "
                                         << tileSizes.size() << " sizes; give one a loop at most";
  SmallVector<int64_t> ranges = loopRanges(plan.root);
  plan.workgroup.assign(iterators.size(), 0);
  for (auto [loop, size] : llvm::enumerate(tileSizes)) {
    if (size < 0)
      return plan.root.emitOpError("cannot have a tile of ")
             << size << " along loop " << loop << "; sizes are positive, or 0 for the whole loop";
    if (size > 0 && iterators[loop] != utils::IteratorType::parallel)
      return plan.root.emitOpError("has a reduction as loop ")
             << loop << ": workgroups cannot share it; leave its size 0";
    plan.workgroup[loop] = size >= ranges[loop] && !ShapedType::isDynamic(ranges[loop]) ? 0 : size;
  }
  return success();
}

} // namespace
} // namespace fuselage

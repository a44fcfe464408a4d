#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/tile_and_fuse/TileCleanup.h"
#include "core/transforms/workgroups/Passes.h"
#include "core/transforms/workgroups/RequestedTiles.h"
#include "core/transforms/workgroups/SplitTiling.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "core/transforms/workgroups/reductions/SplitReductions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fuselage {
#define GEN_PASS_DEF_TILETOWORKGROUPSPASS
#include "core/transforms/workgroups/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct TileToWorkgroupsPass : impl::TileToWorkgroupsPassBase<TileToWorkgroupsPass> {
  using TileToWorkgroupsPassBase::TileToWorkgroupsPassBase;
  void runOnOperation() override {
    if (maxWorkgroupBytes < 0) {
      getOperation()->emitError("max-workgroup-bytes is ")
          << maxWorkgroupBytes.getValue() << "; give a number of bytes, 0 or more";
      return signalPassFailure();
    }
    for (int64_t size : tileSizes)
      if (size < 0) {
        getOperation()->emitError("tile-sizes lists ")
            << size << "; sizes are positive, or 0 for a loop that stays whole";
        return signalPassFailure();
      }
    std::unique_ptr<TargetStrategy> strategy = strategyOf(getOperation());
    SmallVector<Block *> bodies;
    forEachDispatchBody(getOperation(), [&](Block &body) { bodies.push_back(&body); });
    for (Block *body : bodies)
      tileBody(*body, *strategy);
  }

private:
  void tileBody(Block &body, const TargetStrategy &strategy);
  void overrideTiles(KernelPlan &plan) const;
};

/// True if a loop over workgroups is there already.
bool hasForall(Block &body) { return !body.getOps<scf::ForallOp>().empty(); }

void TileToWorkgroupsPass::tileBody(Block &body, const TargetStrategy &strategy) {
  if (hasForall(body))
    return;
  IRRewriter rewriter(&getContext());
  prepareForPlan(rewriter, body, strategy);
  if (tileSizes.empty())
    tileSplits(rewriter, splitReductions(rewriter, body, strategy), strategy);
  // Sizes from an option are taken as they are.
  const PlanOptions options{.maxWorkgroupBytes = maxWorkgroupBytes, .splitsContractions = tileSizes.empty()};
  std::vector<KernelPlan> plans = planKernels(body, strategy, options);
  // Users of a split contraction are planned again, after the op that combines its partial results.
  while (tileSplits(rewriter, plans, strategy))
    plans = planKernels(body, strategy, options);
  if (plans.empty()) {
    body.getParentOp()->emitRemark("nothing to tile: no op of this dispatch computes a tensor by "
                                   "loops; it runs as one workgroup");
    return;
  }
  if (!tileSizes.empty())
    overrideTiles(plans.back());
  for (KernelPlan &plan : plans) {
    Operation *root = plan.root;
    Location loc = root->getLoc();
    std::string name = root->getName().getStringRef().str();
    if (failed(tileKernel(rewriter, plan)))
      emitRemark(loc) << name << " is left as it is: it cannot be tiled to a loop over workgroups";
  }
  cleanUpTiles(body);
}

/// Replaces what was planned for the last root by the option `tile-sizes`, where it fits: a function
/// can hold dispatches of many shapes.
void TileToWorkgroupsPass::overrideTiles(KernelPlan &plan) const {
  SmallVector<utils::IteratorType> iterators = plan.root.getLoopIteratorTypes();
  if (tileSizes.size() > iterators.size()) {
    plan.root->emitRemark("tile-sizes lists ")
        << tileSizes.size() << " sizes, but this has " << iterators.size() << " loops: its tile is the policy's choice";
    return;
  }
  SmallVector<int64_t> ranges = loopRanges(plan.root), tile(iterators.size(), 0);
  for (auto [loop, size] : llvm::enumerate(tileSizes)) {
    if (size > 0 && iterators[loop] != utils::IteratorType::parallel) {
      plan.root->emitRemark("tile-sizes cuts loop ")
          << loop << ", but that is a reduction, which workgroups cannot share: its tile is the "
          << "policy's choice";
      return;
    }
    tile[loop] = size >= ranges[loop] && !ShapedType::isDynamic(ranges[loop]) ? 0 : size;
  }
  plan.workgroup = tile;
  plan.overlaps = false;
}

} // namespace
} // namespace fuselage

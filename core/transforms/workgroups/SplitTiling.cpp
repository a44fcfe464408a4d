#include "core/transforms/workgroups/SplitTiling.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/tile_and_fuse/ProducerFusion.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

/// Says what was split, and why.
void remarkOnSplit(const KernelPlan &plan, const TilingPolicy &policy) {
  auto root = cast<linalg::LinalgOp>(TilingInterface(plan.root).getOperation());
  int64_t tiles = 1, parts = 1, depth = 0;
  for (auto [range, tile, part] : llvm::zip_equal(root.getStaticLoopRanges(), plan.workgroup, plan.split)) {
    tiles *= tile > 0 ? llvm::divideCeil(range, tile) : 1;
    parts = part > 0 ? range / part : parts;
    depth = part > 0 ? range : depth;
  }
  int64_t bytes = 0;
  for (Type type : root->getResultTypes())
    bytes += cast<RankedTensorType>(type).getNumElements() * elementBytes(getElementTypeOrSelf(type)) * parts;
  InFlightDiagnostic remark = root->emitRemark("its depth of ") << depth << " is shared by " << parts << " workgroups a tile: ";
  if (policy.processors > 0)
    remark << tiles << (tiles == 1 ? " tile leaves" : " tiles leave") << " much of " << policy.processors << " multiprocessors idle; ";
  remark << "a kernel behind it adds up their sums, " << bytes << " bytes";
}

/// Computes the ops of the plan in the loop, from the last one to the first.
void fuseInto(RewriterBase &rewriter, scf::ForallOp &forall, const KernelPlan &plan) {
  llvm::SetVector<Operation *> fused(plan.fused.begin(), plan.fused.end());
  for (Operation *op : fused) {
    fuseIntoForall(rewriter, op, forall);
    if (op->use_empty())
      rewriter.eraseOp(op);
  }
}

/// Tiles for what adds up `parts`: enough for all multiprocessors to take part, in whole rows of few results.
void askForTiles(linalg::LinalgOp sum, const TilingPolicy &policy) {
  constexpr int64_t least = 128, most = 512;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(sum->getResult(0).getType()).getShape();
  SmallVector<int64_t> tile(sum.getNumLoops(), 0);
  int64_t results = ShapedType::getNumElements(shape);
  int64_t left = policy.processors > 0 ? std::clamp<int64_t>(llvm::divideCeil(results, policy.processors), least, most) : most;
  for (size_t dim = shape.size(); dim-- > 0;) {
    tile[dim] = pickTile(shape[dim], left, LastTile::Short, policy);
    left = std::max<int64_t>(left / tile[dim], 1);
  }
  writeTilingConfig(sum, {.workgroup = tile, .reduction = {}});
}

/// Steps of the parts, which may differ from those of the whole depth.
void recordSteps(scf::ForallOp forall, const TilingPolicy &policy) {
  for (auto op : forall.getBody()->getOps<linalg::LinalgOp>()) {
    if (op.getNumReductionLoops() == 0)
      continue;
    TilingConfig config = readTilingConfig(op);
    config.reduction = reductionSteps(cast<TilingInterface>(op.getOperation()), policy, hasFusedInput(op));
    writeTilingConfig(op, config);
  }
}

void tileSplit(RewriterBase &rewriter, const KernelPlan &plan, const TilingPolicy &policy) {
  FailureOr<scf::ForallOp> forall = tileKernel(rewriter, plan);
  if (failed(forall)) {
    writeTilingConfig(plan.root, {.workgroup = {}, .reduction = {}, .host = {}, .split = SmallVector<int64_t>(plan.split.size(), 0)});
    return;
  }
  for (Operation *user : (*forall)->getUsers())
    if (auto sum = dyn_cast<linalg::LinalgOp>(user))
      askForTiles(sum, policy);
  fuseInto(rewriter, *forall, plan);
  recordSteps(*forall, policy);
}

} // namespace

bool tileSplits(RewriterBase &rewriter, ArrayRef<KernelPlan> plans, const TilingPolicy &policy) {
  bool isAny = false;
  for (const KernelPlan &plan : plans) {
    if (plan.split.empty())
      continue;
    isAny = true;
    remarkOnSplit(plan, policy);
    tileSplit(rewriter, plan, policy);
  }
  return isAny;
}

} // namespace fuselage

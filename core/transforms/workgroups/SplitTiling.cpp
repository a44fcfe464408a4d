#include "core/transforms/workgroups/SplitTiling.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/tile_and_fuse/ProducerFusion.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

/// Reports what was split, and why.
void remarkOnSplit(const KernelPlan &plan, const TargetStrategy &strategy) {
  auto root = cast<linalg::LinalgOp>(TilingInterface(plan.root).getOperation());
  int64_t tiles = 1, splits = 1, iterations = 0;
  for (auto [range, tile, split] : llvm::zip_equal(root.getStaticLoopRanges(), plan.workgroup, plan.split)) {
    tiles *= tile > 0 ? llvm::divideCeil(range, tile) : 1;
    splits = split > 0 ? range / split : splits;
    iterations = split > 0 ? range : iterations;
  }
  int64_t bytes = 0;
  for (Type type : root->getResultTypes())
    bytes += cast<RankedTensorType>(type).getNumElements() * elementBytes(getElementTypeOrSelf(type)) * splits;
  InFlightDiagnostic remark = root->emitRemark("its K dimension of ")
                              << iterations << " is split among " << splits << " workgroups a tile: ";
  if (std::optional<int64_t> multiprocessors = strategy.multiprocessors())
    remark << tiles << (tiles == 1 ? " tile leaves" : " tiles leave") << " much of " << *multiprocessors
           << " multiprocessors idle; ";
  remark << "a kernel after it adds up their partial results, " << bytes << " bytes";
}

/// Fuses the ops of the plan into the loop, from the last one to the first.
void fuseInto(RewriterBase &rewriter, scf::ForallOp &forall, const KernelPlan &plan) {
  llvm::SetVector<Operation *> fused(plan.fused.begin(), plan.fused.end());
  for (Operation *op : fused) {
    fuseIntoForall(rewriter, op, forall);
    if (op->use_empty())
      rewriter.eraseOp(op);
  }
}

/// Requests the tile of `op`, which combines partial results: enough tiles for all multiprocessors, in whole rows.
void requestTile(linalg::LinalgOp op, const TargetStrategy &strategy) {
  constexpr int64_t least = 128, most = 512;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  SmallVector<int64_t> tile(op.getNumLoops(), 0);
  int64_t results = ShapedType::getNumElements(shape);
  std::optional<int64_t> multiprocessors = strategy.multiprocessors();
  int64_t left = multiprocessors ? std::clamp<int64_t>(llvm::divideCeil(results, *multiprocessors), least, most) : most;
  for (size_t dim = shape.size(); dim-- > 0;) {
    tile[dim] = pickTile(shape[dim], left, LastTile::Short);
    left = std::max<int64_t>(left / tile[dim], 1);
  }
  writeTilingConfig(op, {.workgroup = tile, .reduction = {}});
}

/// Records the serial steps of one split, which may differ from those of the whole K dimension.
void recordSteps(scf::ForallOp forall, const TargetStrategy &strategy) {
  for (auto op : forall.getBody()->getOps<linalg::LinalgOp>()) {
    if (op.getNumReductionLoops() == 0)
      continue;
    TilingConfig config = readTilingConfig(op);
    config.reduction = strategy.reductionSteps(cast<TilingInterface>(op.getOperation()), hasFusedInput(op));
    writeTilingConfig(op, config);
  }
}

void tileSplit(RewriterBase &rewriter, const KernelPlan &plan, const TargetStrategy &strategy) {
  FailureOr<scf::ForallOp> forall = tileKernel(rewriter, plan);
  if (failed(forall)) {
    writeTilingConfig(
        plan.root, {.workgroup = {}, .reduction = {}, .host = {}, .split = SmallVector<int64_t>(plan.split.size(), 0)});
    return;
  }
  for (Operation *user : (*forall)->getUsers())
    if (auto combining = dyn_cast<linalg::LinalgOp>(user))
      requestTile(combining, strategy);
  fuseInto(rewriter, *forall, plan);
  recordSteps(*forall, strategy);
}

} // namespace

void tileSplits(RewriterBase &rewriter, ArrayRef<WorkgroupSplit> splits, const TargetStrategy &strategy) {
  std::vector<KernelPlan> plans;
  for (const WorkgroupSplit &split : splits) {
    KernelPlan &plan = plans.emplace_back();
    plan.root = cast<TilingInterface>(split.op);
    plan.workgroup = split.workgroup;
    plan.split = split.split;
  }
  tileSplits(rewriter, plans, strategy);
}

bool tileSplits(RewriterBase &rewriter, ArrayRef<KernelPlan> plans, const TargetStrategy &strategy) {
  bool isAny = false;
  for (const KernelPlan &plan : plans) {
    if (plan.split.empty())
      continue;
    isAny = true;
    remarkOnSplit(plan, strategy);
    tileSplit(rewriter, plan, strategy);
  }
  return isAny;
}

} // namespace fuselage

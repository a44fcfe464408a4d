#include "core/transforms/workgroups/SplitTiling.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/tile_and_fuse/ProducerFusion.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/WorkgroupTiling.h"
#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/reductions/ReductionInputs.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

/// Says what was split, and why.
void remarkOnSplit(const KernelPlan &plan, const TargetStrategy &strategy) {
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
  InFlightDiagnostic remark = root->emitRemark("its K dimension of ")
                              << depth << " is split among " << parts << " workgroups a tile: ";
  if (std::optional<int64_t> multiprocessors = strategy.multiprocessors())
    remark << tiles << (tiles == 1 ? " tile leaves" : " tiles leave") << " much of " << *multiprocessors
           << " multiprocessors idle; ";
  remark << "a kernel after it adds up their partial results, " << bytes << " bytes";
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
void askForTiles(linalg::LinalgOp sum, const TargetStrategy &strategy) {
  constexpr int64_t least = 128, most = 512;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(sum->getResult(0).getType()).getShape();
  SmallVector<int64_t> tile(sum.getNumLoops(), 0);
  int64_t results = ShapedType::getNumElements(shape);
  std::optional<int64_t> multiprocessors = strategy.multiprocessors();
  int64_t left = multiprocessors ? std::clamp<int64_t>(llvm::divideCeil(results, *multiprocessors), least, most) : most;
  for (size_t dim = shape.size(); dim-- > 0;) {
    tile[dim] = pickTile(shape[dim], left, LastTile::Short);
    left = std::max<int64_t>(left / tile[dim], 1);
  }
  writeTilingConfig(sum, {.workgroup = tile, .reduction = {}});
}

/// Steps of the parts, which may differ from those of the whole depth.
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
    if (auto sum = dyn_cast<linalg::LinalgOp>(user))
      askForTiles(sum, strategy);
  fuseInto(rewriter, *forall, plan);
  recordSteps(*forall, strategy);
}

/// How a long sum is shared: columns of partial results for each of its own, and workgroups for the depth of those.
struct SumShares {
  int64_t columns, workgroups;
};

SumShares shareSum(int64_t results, int64_t depth, const LongReductionOptions &options) {
  constexpr int64_t leastSteps = 8, mostParts = 256;
  SumShares shares{.columns = options.columns, .workgroups = 1};
  while (shares.columns > 32 && depth / shares.columns < leastSteps)
    shares.columns /= 2;
  int64_t ofWorkgroup = options.workgroupColumns > 0 ? options.workgroupColumns : shares.columns;
  int64_t tiles = results * llvm::divideCeil(shares.columns, ofWorkgroup);
  int64_t rows = depth / shares.columns;
  int64_t wanted = std::min({llvm::divideCeilSigned(options.workgroups, tiles), rows / (2 * leastSteps), mostParts});
  int64_t even = largestDivisor(rows, wanted);
  shares.workgroups = 2 * even >= wanted ? even : wanted;
  return shares;
}

/// The plan of partial results of which `workgroups` workgroups take a part of the depth each.
KernelPlan planParts(linalg::GenericOp partial, int64_t workgroups, const LongReductionOptions &options) {
  KernelPlan plan;
  plan.root = cast<TilingInterface>(partial.getOperation());
  unsigned columns = *innermostLoop(partial.getIndexingMapMatchingResult(partial->getResult(0)));
  for (auto [loop, range] : llvm::enumerate(partial.getStaticLoopRanges())) {
    bool isReduction = partial.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
    int64_t ofWorkgroup = options.workgroupColumns > 0 ? std::min(range, options.workgroupColumns) : 0;
    plan.workgroup.push_back(isReduction || range == 1 ? 0 : loop != columns ? 1 : ofWorkgroup);
    plan.split.push_back(isReduction ? range / workgroups : 0);
  }
  return plan;
}

/// Whether what is added up comes from outside of the dispatch, but for what rows have one of.
bool readsArguments(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    TilingInterface producer = asTileable(input->get().getDefiningOp());
    AffineMap map = op.getMatchingIndexingMap(input);
    return producer && producer->getBlock() == op->getBlock() &&
           llvm::any_of(reductions, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
  });
}

bool exceedsLimit(linalg::LinalgOp op, const LongReductionOptions &options) {
  return llvm::any_of(options.limits, [&](const LongReductionOptions::Limit &limit) {
    return isLongReduction(op, limit.mostResults, limit.leastDepth);
  });
}

} // namespace

void tileLongSums(RewriterBase &rewriter, Block &body, const TargetStrategy &strategy) {
  SmallVector<linalg::LinalgOp> ops; // those that are merged into others are none
  for (auto op : body.getOps<linalg::LinalgOp>())
    if (op.getNumReductionLoops() > 0)
      ops.push_back(op);
  bool isAny = false;
  const LongReductionOptions options = strategy.longReductions();
  while (!ops.empty()) {
    linalg::LinalgOp op = ops.pop_back_val();
    if (!readTilingConfig(op).empty() || contractionDims(op) || !exceedsLimit(op, options))
      continue;
    if (options.mergesInputs && !readsArguments(op) && hasExternalInputs(op)) {
      FailureOr<linalg::GenericOp> merged = fuseInputs(rewriter, op);
      if (failed(merged) || !exceedsLimit(*merged, options))
        continue;
      op = *merged;
      isAny = true;
    }
    if (!readsArguments(op))
      continue;
    SmallVector<unsigned> parallel, reductions;
    op.getParallelDims(parallel);
    op.getReductionDims(reductions);
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    SumShares shares = shareSum(iterationsOf(parallel, ranges), iterationsOf(reductions, ranges), options);
    FailureOr<SplitSum> split = splitLongSum(rewriter, op, shares.columns, Share::Stride, shares.workgroups);
    if (failed(split))
      continue;
    if (split->rest)
      ops.push_back(split->rest);
    if (shares.workgroups > 1)
      tileSplits(rewriter, planParts(split->partial, shares.workgroups, options), strategy);
  }
  if (isAny)
    fuseElementwiseChains(rewriter, body);
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

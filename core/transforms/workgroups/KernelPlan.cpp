#include "core/transforms/workgroups/KernelPlan.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/OverlappingTiles.h"
#include "core/transforms/workgroups/TileInstances.h"
#include "core/transforms/workgroups/reductions/ChooseSplitK.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

using OpSet = llvm::SmallPtrSet<Operation *, 16>;

/// What one root's kernel holds, and what stands in its way.
struct Draft {
  KernelPlan plan;
  std::vector<TileInstance> instances;
  Operation *mustSplit = nullptr; ///< this op has to become a root of its own; start over
};

class Planner {
public:
  Planner(Block &body, const TargetStrategy &strategy, const PlanOptions &options)
      : strategy_(strategy), options_(options),
        maxBytes_(options.maxWorkgroupBytes > 0 ? options.maxWorkgroupBytes : strategy.workgroupBytes()),
        ops_(tileableOps(body)) {}
  std::vector<KernelPlan> run();

private:
  Draft draft(TilingInterface root) const;
  void split(Operation *op, std::vector<Draft> &drafts);
  void chooseTiles(Draft &draft, ArrayRef<bool> keepWhole) const;
  int64_t bytesOf(const Draft &draft) const;
  Operation *firstConflict(ArrayRef<Draft> drafts) const;
  bool canBeYielded(Operation *op, ArrayRef<Draft> drafts) const;
  bool neededWhole(Operation *op) const;
  bool leavesIdle(TilingInterface root, ArrayRef<unsigned> loops) const;

  const TargetStrategy &strategy_;
  const PlanOptions options_;
  const int64_t maxBytes_;
  SmallVector<TilingInterface> ops_;
  OpSet roots_;
};

/// True if computing `op` again costs more than a load or two.
bool isExpensive(TilingInterface op) { return !isAllParallel(op); }

/// The op that is wanted in more different tiles than are worth computing; null if there is none.
Operation *wantedTooOften(ArrayRef<TileInstance> instances, int64_t limit) {
  DenseMap<Operation *, int64_t> counts;
  for (const TileInstance &instance : instances.drop_front())
    if (++counts[instance.op] > limit)
      return instance.op;
  return nullptr;
}

bool isWorkgroupKind(WorkKind kind) { return kind == WorkKind::Contraction || kind == WorkKind::Convolution; }

/// The op that computes an operand of a contraction or convolution: lanes read those into registers, and what the
/// workgroup computes would come through its memory, which costs more than a kernel of its own; null if there is none.
Operation *feedsRegisters(ArrayRef<TileInstance> instances) {
  for (const TileInstance &instance : instances.drop_front())
    for (OpOperand &use : instance.op->getUses()) {
      auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
      bool isHere =
          user && llvm::any_of(instances, [&](const TileInstance &other) { return other.op == user.getOperation(); });
      if (isHere && user.isDpsInput(&use) && isWorkgroupKind(workKindOf(cast<TilingInterface>(user.getOperation()))))
        return instance.op;
    }
  return nullptr;
}

/// True if some use of `op` needs more than tiles of it.
bool Planner::neededWhole(Operation *op) const {
  return llvm::any_of(op->getUses(), [](OpOperand &use) { return !readsByTile(use); });
}

/// True if all uses of `op` are by elementwise ops of the kernel that read it where they write.
bool isHandedOn(Operation *op, const OpSet &inKernel) {
  return llvm::all_of(op->getUses(), [&](OpOperand &use) {
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return user && inKernel.contains(user) && user.getNumReductionLoops() == 0 && user.getNumDpsInits() == 1 &&
           user.isDpsInput(&use) &&
           user.getMatchingIndexingMap(&use) == user.getMatchingIndexingMap(user.getDpsInitOperand(0));
  });
}

/// Returns the ops whose results stay in registers: a contraction and the elementwise ops after it (see
/// RegisterEpilogue.h).
OpSet inRegisters(ArrayRef<TileInstance> instances, const OpSet &inKernel) {
  OpSet ops;
  for (const TileInstance &instance : llvm::reverse(instances)) {
    bool starts = workKindOf(instance.tiling()) == WorkKind::Contraction;
    bool continues = isAllParallel(instance.tiling()) && llvm::any_of(instance.op->getOperands(), [&](Value operand) {
                       return operand.getDefiningOp() && ops.contains(operand.getDefiningOp());
                     });
    bool isRoot = &instance == instances.begin();
    if ((starts || continues) && (isRoot || isHandedOn(instance.op, inKernel)))
      ops.insert(instance.op);
  }
  return ops;
}

int64_t Planner::bytesOf(const Draft &draft) const {
  OpSet inKernel;
  for (const TileInstance &instance : draft.instances)
    inKernel.insert(instance.op);
  OpSet held = strategy_.keepsResultsInRegisters() ? inRegisters(draft.instances, inKernel) : OpSet();
  int64_t bytes = 0;
  for (auto [index, instance] : llvm::enumerate(draft.instances))
    bytes += ((index == 0 && !draft.plan.overlaps) || held.contains(instance.op) ? 0 : instance.resultBytes()) +
             (strategy_.promotesOperands()
                  ? instance.promotedBytes([&](Operation *op) { return op && inKernel.contains(op); })
                  : 0);
  return bytes;
}

/// The op that shapes the kernel: the heaviest kind, the one nearest to the root among equals.
const TileInstance &anchorOf(ArrayRef<TileInstance> instances) {
  return *std::max_element(instances.begin(), instances.end(), [](const TileInstance &a, const TileInstance &b) {
    return workKindOf(a.tiling()) < workKindOf(b.tiling());
  });
}

/// The root's loops that `instance` does not move with.
SmallVector<unsigned> unfollowed(const TileInstance &instance, const TileInstance &root) {
  SmallVector<unsigned> loops;
  for (auto [loop, follows] : llvm::enumerate(root.follows))
    if (follows >= 0 && !llvm::is_contained(instance.follows, int(loop)))
      loops.push_back(loop);
  return loops;
}

/// Whether a kernel of `root` whose workgroups have `loops` as a whole would leave much of the device idle.
bool Planner::leavesIdle(TilingInterface root, ArrayRef<unsigned> loops) const {
  SmallVector<int64_t> ranges = loopRanges(root);
  if (!isAllParallel(root) || ShapedType::isDynamicShape(ranges))
    return false;
  int64_t whole = iterationsOf(loops, ranges);
  SmallVector<unsigned> others;
  for (unsigned loop = 0; loop < ranges.size(); ++loop)
    if (!llvm::is_contained(loops, loop))
      others.push_back(loop);
  return strategy_.shouldSplitReduction(iterationsOf(others, ranges), whole,
                                        elementBytes(getElementTypeOrSelf(root->getResult(0).getType())));
}

Draft Planner::draft(TilingInterface root) const {
  Draft draft;
  draft.plan.root = root;
  draft.instances = tileInstances(root, {}, ops_, roots_, strategy_);
  constexpr int64_t maxRecomputedTiles = 4; // of one cheap op that a workgroup computes
  draft.mustSplit = wantedTooOften(draft.instances, maxRecomputedTiles);
  if (draft.mustSplit)
    return draft;
  if (!strategy_.fusesOperandProducers() && (draft.mustSplit = feedsRegisters(draft.instances)))
    return draft;
  const TileInstance &first = draft.instances.front();
  SmallVector<int64_t> ranges = loopRanges(root);
  SmallVector<bool> keepWhole(ranges.size(), false);
  for (const TileInstance &instance : ArrayRef(draft.instances).drop_front()) {
    Operation *op = instance.op;
    if (!isExpensive(instance.tiling()) && !neededWhole(op))
      continue;
    SmallVector<unsigned> loops = unfollowed(instance, first);
    for (unsigned loop : loops) {
      if (ranges[loop] == 1)
        continue;
      if (isWorkgroupKind(workKindOf(root)) || leavesIdle(root, loops)) {
        draft.mustSplit = op;
        return draft;
      }
      keepWhole[loop] = true;
    }
  }
  chooseTiles(draft, keepWhole);
  return draft;
}

/// Next smaller tile of a loop, 0 if there is none.
int64_t smallerTile(int64_t tile, int64_t range) {
  if (tile <= 1)
    return 0;
  return ShapedType::isDynamic(range) || range % tile != 0 ? tile / 2 : largestDivisor(range, tile - 1);
}

/// Iterations of one workgroup; dynamic ranges count as 1.
int64_t iterationsInTile(ArrayRef<int64_t> tile) {
  int64_t product = 1;
  for (int64_t extent : tile)
    if (extent > 0 && product < (int64_t(1) << 40))
      product *= extent;
  return product;
}

/// The loop whose next smaller tile gives up the smallest share; the largest tile among equals. -1
/// if none can shrink.
int loopToShrink(ArrayRef<int64_t> tile, ArrayRef<int64_t> ranges, ArrayRef<bool> keepWhole) {
  int best = -1;
  int64_t bestSmaller = 0;
  for (auto [loop, size] : llvm::enumerate(tile)) {
    int64_t smaller = keepWhole[loop] ? 0 : smallerTile(size, ranges[loop]);
    if (smaller == 0)
      continue;
    int64_t gain = best < 0 ? 1 : smaller * tile[best] - bestSmaller * size;
    if (gain > 0 || (gain == 0 && size > tile[best])) {
      best = loop;
      bestSmaller = smaller;
    }
  }
  return best;
}

/// What a kernel can do where a tile does not divide a loop. Registers and promoted operands need
/// tiles of one size, and so does memory for what is handed on inside.
LastTile lastTileOf(ArrayRef<TileInstance> instances, const TargetStrategy &strategy) {
  bool handsOn = llvm::any_of(instances.drop_front(), [](const TileInstance &i) { return i.resultBytes() != 0; });
  WorkKind kind = workKindOf(anchorOf(instances).tiling());
  bool overlaps = strategy.overlapsReductionTiles() && workKindOf(instances.front().tiling()) == WorkKind::Reduction;
  if (!handsOn && !isWorkgroupKind(kind) && !overlaps)
    return LastTile::Short;
  if (canOverlap(instances.front().tiling()))
    return kind == WorkKind::Contraction || overlaps ? LastTile::OverlappingMultiple : LastTile::Overlapping;
  return handsOn ? LastTile::Full : LastTile::Short;
}

void Planner::chooseTiles(Draft &draft, ArrayRef<bool> keepWhole) const {
  TilingInterface root = draft.plan.root;
  SmallVector<int64_t> ranges = loopRanges(root), targets(ranges.size(), 0), tile;
  const TileInstance &anchor = anchorOf(draft.instances);
  for (auto [loop, follows] : llvm::enumerate(draft.instances.front().follows))
    targets[loop] = follows >= 0 ? 1 : 0;
  KernelContext kernel;
  kernel.isAlone =
      llvm::count_if(draft.instances, [](const TileInstance &each) { return isExpensive(each.tiling()); }) <= 1;
  auto product = dyn_cast<linalg::LinalgOp>(anchor.op);
  bool usesMatrices = product && strategy_.instructionK(product);
  // What is only gathered goes past the registers, but for its addresses.
  auto feeder = dyn_cast_if_present<linalg::LinalgOp>(feedsRegisters(draft.instances));
  kernel.computesOperand = feeder && !(usesMatrices && feeder.getNumDpsInputs() == 0);
  constexpr int64_t instructionSide = 16;
  if (usesMatrices)
    kernel.tileMultiple = instructionSide;
  LastTile last = lastTileOf(draft.instances, strategy_);
  kernel.mayOverlap = last == LastTile::OverlappingMultiple;
  std::optional<WorkgroupSplit> split =
      product && kernel.isAlone ? chooseSplitK(product, strategy_, kernel, options_.splitsContractions) : std::nullopt;
  if (split && anchor.op != root.getOperation()) {
    draft.mustSplit = anchor.op;
    return;
  }
  TileRule &rule = draft.plan.rule;
  rule.anchor = anchor.op;
  rule.isTaken = split || (product && kernel.mayOverlap && strategy_.pickWideTile(product, kernel));
  rule.last = last;
  rule.multiple = kernel.tileMultiple;
  rule.keepsResultsInRegisters = strategy_.keepsResultsInRegisters() && kernel.isAlone;
  SmallVector<int64_t> wanted = split ? split->workgroup : strategy_.workgroupTargets(anchor.tiling(), kernel);
  for (auto [loop, target] : llvm::enumerate(wanted)) {
    int follows = anchor.follows[loop];
    rule.ranges.push_back(follows < 0 || keepWhole[follows] ? 0 : ranges[follows]);
    if (follows >= 0)
      targets[follows] = target;
  }
  for (auto [loop, range] : llvm::enumerate(ranges)) {
    if (targets[loop] == 0)
      tile.push_back(0);
    else if (keepWhole[loop])
      tile.push_back(ShapedType::isDynamic(range) ? 0 : range);
    else
      tile.push_back(rule.tileOf(range, targets[loop]));
  }
  auto refresh = [&] {
    draft.instances = tileInstances(root, tile, ops_, roots_, strategy_);
    draft.plan.overlaps = false;
    for (auto [range, size] : llvm::zip_equal(ranges, tile))
      draft.plan.overlaps |= last >= LastTile::Overlapping && size > 0 && range % size != 0;
    draft.plan.workgroupBytes = bytesOf(draft);
  };
  refresh();
  // A tile that fits memory but leaves a workgroup idle is worse than a trip through memory.
  int64_t floor = std::max<int64_t>(iterationsInTile(tile) / 16, 32);
  while (draft.plan.workgroupBytes > maxBytes_) {
    int best = loopToShrink(tile, ranges, keepWhole);
    if (best < 0)
      break;
    int64_t smaller = smallerTile(tile[best], ranges[best]);
    if (iterationsInTile(tile) / tile[best] * smaller < floor)
      break;
    tile[best] = smaller;
    refresh();
  }
  if (draft.plan.workgroupBytes > maxBytes_ && draft.instances.size() > 1) {
    auto largest = std::max_element(
        draft.instances.begin() + 1, draft.instances.end(),
        [](const TileInstance &a, const TileInstance &b) { return a.resultBytes() < b.resultBytes(); });
    if (largest->resultBytes() > 0) {
      draft.mustSplit = largest->op;
      return;
    }
  }
  for (auto [loop, size] : llvm::enumerate(tile))
    draft.plan.workgroup.push_back(size == ranges[loop] ? 0 : size);
  if (split)
    draft.plan.split = split->split;
}

/// True if the one consumer's loop of workgroups can hand out all of `op` besides using it.
bool Planner::canBeYielded(Operation *op, ArrayRef<Draft> drafts) const {
  const Draft *holder = nullptr;
  const TileInstance *found = nullptr;
  for (const Draft &draft : drafts)
    for (const TileInstance &instance : draft.instances) {
      if (instance.op != op)
        continue;
      if (found)
        return false;
      holder = &draft;
      found = &instance;
    }
  if (!found || found->inPlace || holder->plan.overlaps || llvm::is_contained(found->follows, TileInstance::window))
    return false;
  Operation *root = holder->instances.front().op;
  for (OpOperand &use : op->getUses()) {
    Operation *user = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (!readsByTile(use) && !(user && root->isBeforeInBlock(user)))
      return false;
    auto destination = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (readsByTile(use) && destination && destination.isDpsInit(&use))
      return false;
  }
  for (OpResult result : op->getResults())
    if (!cast<RankedTensorType>(result.getType()).hasStaticShape())
      return false;
  return isAllParallel(found->tiling()) || llvm::all_of(found->op->getResults(), [&](OpResult result) {
           auto structured = cast<linalg::LinalgOp>(op);
           AffineMap map = structured.getIndexingMapMatchingResult(result);
           for (auto [loop, follows] : llvm::enumerate(found->follows))
             if (follows >= 0 && !map.isFunctionOfDim(loop))
               return false;
           return true;
         });
}

/// An op that has to become a root: its value is needed as a whole and cannot be yielded, or its
/// reduction would be computed more than once.
Operation *Planner::firstConflict(ArrayRef<Draft> drafts) const {
  DenseMap<Operation *, int64_t> counts;
  for (const Draft &draft : drafts)
    for (const TileInstance &instance : draft.instances)
      ++counts[instance.op];
  for (TilingInterface op : llvm::reverse(ops_)) {
    if (roots_.contains(op))
      continue;
    if (neededWhole(op) && !canBeYielded(op, drafts))
      return op;
    if (isExpensive(op) && counts.lookup(op) > 1)
      return op;
  }
  return nullptr;
}

/// Makes `op` a root. Drafts that would have computed it change.
void Planner::split(Operation *op, std::vector<Draft> &drafts) {
  roots_.insert(op);
  llvm::erase_if(drafts, [&](const Draft &draft) {
    return llvm::any_of(draft.instances, [&](const TileInstance &instance) { return instance.op == op; });
  });
}

std::vector<KernelPlan> Planner::run() {
  for (TilingInterface op : ops_)
    if (llvm::none_of(op->getUses(), readsByTile) || op->hasAttr(kSplitsAttr))
      roots_.insert(op);
  std::vector<Draft> drafts;
  while (true) {
    OpSet drafted;
    for (const Draft &draft : drafts)
      drafted.insert(draft.instances.front().op);
    Operation *conflict = nullptr;
    for (TilingInterface op : ops_) {
      if (!roots_.contains(op) || drafted.contains(op))
        continue;
      drafts.push_back(draft(op));
      if ((conflict = drafts.back().mustSplit))
        break;
    }
    if (!conflict)
      conflict = firstConflict(drafts);
    if (!conflict)
      break;
    split(conflict, drafts);
  }
  llvm::sort(drafts, [](const Draft &a, const Draft &b) {
    return a.instances.front().op->isBeforeInBlock(b.instances.front().op);
  });
  std::vector<KernelPlan> plans;
  for (Draft &draft : drafts) {
    for (TileInstance &instance : draft.instances) {
      if (instance.op != draft.plan.root.getOperation())
        draft.plan.fused.push_back(instance.op);
      if (!instance.cuts.empty())
        draft.plan.reductions[instance.op] = instance.cuts;
    }
    plans.push_back(std::move(draft.plan));
  }
  return plans;
}

} // namespace

std::vector<KernelPlan> planKernels(Block &body, const TargetStrategy &strategy, const PlanOptions &options) {
  return Planner(body, strategy, options).run();
}

linalg::LinalgOp shapingOp(Operation *dispatch) {
  linalg::LinalgOp shaping;
  dispatch->walk([&](linalg::LinalgOp op) {
    auto tiling = dyn_cast<TilingInterface>(op.getOperation());
    if (op->getParentOfType<scf::ForallOp>())
      return; // a workgroup's tile already
    bool isKnown = tiling && op.hasPureTensorSemantics() && !isa<linalg::FillOp>(op.getOperation()) &&
                   llvm::none_of(op.getStaticLoopRanges(),
                                 [](int64_t range) { return ShapedType::isDynamic(range) || range <= 0; });
    if (isKnown && (!shaping || workKindOf(tiling) >= workKindOf(cast<TilingInterface>(shaping.getOperation()))))
      shaping = op;
  });
  return shaping;
}

} // namespace fuselage

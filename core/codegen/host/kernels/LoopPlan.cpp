#include "core/codegen/host/kernels/LoopPlan.h"
#include "core/codegen/host/kernels/VectorBody.h"
#include "core/device/DeviceCosts.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

using Along = LoopKernel::Along;

int64_t LoopPlan::blocksOf(unsigned loop, const LoopKernel &kernel) const {
  if (loop == vectorLoop)
    return alongReduction ? 1 : llvm::divideCeil(kernel.ranges[loop], vectorBlock);
  return loop == rowLoop ? llvm::divideCeil(kernel.ranges[loop], rowBlock) : kernel.ranges[loop];
}

namespace {

/// Makes one plan.
class Planner {
public:
  Planner(const LoopKernel &kernel, const HostTarget &target) : kernel_(kernel), target_(target) {}
  std::optional<LoopPlan> plan();

private:
  bool chooseVectorLoop();
  bool isSpread(unsigned input, unsigned along) const;
  bool hasClashingRows(unsigned input) const;
  bool canReduceAlong(unsigned loop) const;
  std::optional<unsigned> denseReduction() const;
  bool readsLarge(unsigned loop) const;
  void chooseRowLoop();
  void chooseTile();
  void chooseTileOfSums();
  bool isPossible(int64_t rows, int64_t vectors) const;
  /// What somebody asks for; 0: nothing.
  int64_t requested(HostSize place) const {
    return place < kernel_.requested.size() ? std::max<int64_t>(kernel_.requested[place], 0) : 0;
  }
  bool takeRequestedTile();
  void chooseTasks();
  int64_t rangeOf(std::optional<unsigned> loop) const { return loop ? kernel_.ranges[*loop] : 1; }
  /// Iterations of the reductions.
  int64_t depth() const;

  const LoopKernel &kernel_;
  const HostTarget &target_;
  LoopPlan plan_;
};

} // namespace

int64_t Planner::depth() const {
  int64_t depth = 1;
  for (auto [loop, range] : llvm::enumerate(kernel_.ranges))
    if (!kernel_.isParallel(loop))
      depth *= range;
  return depth;
}

/// Whether lanes may hold partial results along a reduction: every output has a combiner.
bool Planner::canReduceAlong(unsigned loop) const {
  for (unsigned output = kernel_.inputs; output < kernel_.operands.size(); ++output)
    if (kernel_.along(output, loop) != Along::Still || !kernel_.combiner(output - kernel_.inputs))
      return false;
  return true;
}

/// A reduction along which all inputs are dense or stand still.
std::optional<unsigned> Planner::denseReduction() const {
  for (unsigned loop = kernel_.ranges.size(); loop-- > 0;) {
    bool dense = false, apart = false;
    for (unsigned input = 0; input < kernel_.inputs; ++input) {
      Along along = kernel_.along(input, loop);
      dense |= along == Along::Dense;
      apart |= along == Along::Apart;
    }
    if (!kernel_.isParallel(loop) && kernel_.ranges[loop] > 1 && dense && !apart && canReduceAlong(loop))
      return loop;
  }
  return std::nullopt;
}

/// Whether each step of a reduction reads another page of a large input, which is reused often enough to copy it first:
/// the TLB covers a few MiB, and rows a power of two apart map to the same sets of the cache.
bool Planner::isSpread(unsigned input, unsigned along) const {
  constexpr int64_t page = 4096, large = 3 << 20, leastReuse = 256;
  auto type = llvm::dyn_cast<MemRefType>(kernel_.operands[input].getType());
  if (!kernel_.reduces() || !type || kernel_.along(input, along) != Along::Dense || kernel_.reuse(input) < leastReuse ||
      !kernel_.maps[input].isProjectedPermutation() || !hasVectors(type))
    return false;
  int64_t element = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  return kernel_.ranges[along] * element >= page && type.getNumElements() * element >= large;
}

/// Chooses the loop that vectors lie along. False: all loops are reductions, and none can have partial sums in lanes.
bool Planner::chooseVectorLoop() {
  std::optional<unsigned> written = kernel_.denseLoop(kernel_.inputs), summed = denseReduction();
  auto along = [&](unsigned loop) {
    plan_.vectorLoop = loop;
    plan_.alongReduction = !kernel_.isParallel(loop);
    return true;
  };
  if (!written || !kernel_.isParallel(*written)) {
    // Nothing is written side by side: a sum of all, or results that lie apart.
    std::optional<unsigned> last = summed;
    for (unsigned loop = 0; loop < kernel_.ranges.size() && !summed; ++loop)
      if (kernel_.isParallel(loop))
        last = loop;
    return last && along(*last);
  }
  // Transposing an input costs about as much as reading it 16 times (estimated); packing pays off from 4 reads on.
  constexpr int64_t leastReuse = 4, worthTransposing = 16;
  bool tiny = kernel_.ranges[*written] * 2 < plan_.lanes;
  for (unsigned input = 0; input < kernel_.inputs; ++input) {
    if (isSpread(input, *written))
      plan_.toPack.push_back(input);
    if (kernel_.along(input, *written) != Along::Apart || kernel_.isStrided(input, *written))
      continue;
    if (summed && (tiny || kernel_.reuse(input) < worthTransposing)) {
      plan_.toPack.clear(); // what was to be packed was so for vectors along the other loop
      return along(*summed);
    }
    if (kernel_.reuse(input) >= leastReuse && kernel_.maps[input].isProjectedPermutation())
      plan_.toPack.push_back(input);
  }
  return along(*written);
}

/// Whether each step of a loop reads other elements of an input that no cache of one processor holds.
bool Planner::readsLarge(unsigned loop) const {
  for (unsigned input = 0; input < kernel_.inputs; ++input) {
    auto type = llvm::dyn_cast<MemRefType>(kernel_.operands[input].getType());
    int64_t element = type ? llvm::divideCeil(type.getElementTypeBitWidth(), 8) : 0;
    if (type && kernel_.maps[input].isFunctionOfDim(loop) &&
        type.getNumElements() * element > int64_t(target_.level2Bytes))
      return true;
  }
  return false;
}

/// Chooses the row loop: if possible a parallel loop that reuses loaded vectors, because an input that depends on the
/// vector loop does not depend on it.
void Planner::chooseRowLoop() {
  auto isFree = [&](unsigned loop) {
    return kernel_.isParallel(loop) && loop != plan_.vectorLoop && kernel_.ranges[loop] > 1;
  };
  auto isBetter = [&](unsigned loop, std::optional<unsigned> than) {
    constexpr int64_t enough = 12; // rows beyond which a longer loop is no better: about mostTileRows
    if (than && plan_.alongReduction && readsLarge(loop) != readsLarge(*than))
      return readsLarge(*than);
    return !than || std::min(rangeOf(loop), enough) > std::min(rangeOf(than), enough);
  };
  if (kernel_.reduces())
    for (unsigned loop = kernel_.ranges.size(); loop-- > 0;) {
      bool used = false;
      for (unsigned input = 0; input < kernel_.inputs; ++input)
        used |= kernel_.maps[input].isFunctionOfDim(plan_.vectorLoop) && !kernel_.maps[input].isFunctionOfDim(loop);
      if (isFree(loop) && used && isBetter(loop, plan_.rowLoop))
        plan_.rowLoop = loop;
    }
  else if (plan_.lanes > 1)
    for (unsigned input = 0; input < kernel_.inputs; ++input) {
      auto dense = kernel_.denseLoop(input);
      bool apart = kernel_.along(input, plan_.vectorLoop) == Along::Apart;
      if (!dense || !apart || !isFree(*dense) || kernel_.ranges[*dense] < plan_.lanes || plan_.transposed)
        continue;
      if (!hasVectors(kernel_.operands[input].getType()))
        continue;
      plan_.rowLoop = dense;
      plan_.transposed = input;
    }
  for (unsigned loop = kernel_.ranges.size(); loop-- > 0 && !plan_.rowLoop;)
    if (isFree(loop))
      plan_.rowLoop = loop;
}

/// Whether the rows that a tile reads together map to the same few sets of the L1 cache, for the whole reduction.
bool Planner::hasClashingRows(unsigned input) const {
  constexpr int64_t leastReuse = 256, few = 4;
  auto type = llvm::dyn_cast<MemRefType>(kernel_.operands[input].getType());
  if (!type || !plan_.rowLoop || plan_.rows < few || plan_.alongReduction || !hasVectors(type) ||
      kernel_.along(input, plan_.vectorLoop) != Along::Still || kernel_.reuse(input) < leastReuse)
    return false;
  auto position = kernel_.maps[input].getResultPosition(getAffineDimExpr(*plan_.rowLoop, type.getContext()));
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!position || *position + 1 == kernel_.maps[input].getNumResults() ||
      failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1 ||
      ShapedType::isDynamic(strides[*position]))
    return false;
  int64_t stride = strides[*position] * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  // A way is at least 1/16 of L1, whose size need not be a power of two; rows that far apart share few sets.
  return stride % (int64_t(llvm::bit_floor(target_.level1Bytes)) / 16) == 0;
}

/// Whether registers hold so many rows of so many vectors, and there are as many.
bool Planner::isPossible(int64_t rows, int64_t vectors) const {
  int64_t outputs = kernel_.operands.size() - kernel_.inputs;
  return TileRegisters(outputs).needed(rows, vectors) <= target_.vectorRegisters &&
         (vectors - 1) * plan_.lanes < kernel_.ranges[plan_.vectorLoop];
}

/// False: nobody asks for a tile that is possible.
bool Planner::takeRequestedTile() {
  constexpr int64_t mostRows = 32, mostVectors = 32;
  int64_t rows = requested(HostRows), vectors = requested(HostVectors);
  if (rows < 1 || rows > std::min(rangeOf(plan_.rowLoop), mostRows) || vectors < 1 || vectors > mostVectors ||
      !isPossible(rows, vectors))
    return false;
  plan_.rows = rows;
  plan_.vectors = vectors;
  return true;
}

/// Rows by vectors of sums in registers, so that the fewest steps go to waste and each load serves many of them.
void Planner::chooseTileOfSums() {
  if (takeRequestedTile())
    return;
  int64_t range = kernel_.ranges[plan_.vectorLoop], rowRange = rangeOf(plan_.rowLoop);
  bool usedAgain = false;
  for (unsigned input = 0; input < kernel_.inputs; ++input)
    usedAgain |= plan_.rowLoop && kernel_.maps[input].isFunctionOfDim(plan_.vectorLoop) &&
                 !kernel_.maps[input].isFunctionOfDim(*plan_.rowLoop);
  int64_t mostRows = usedAgain ? std::min(rowRange, mostTileRows) : 1, mostVectors = usedAgain ? 4 : mostTileVectors;
  // Lanes that are loaded one by one are slow anyway, and a large tile of them is code without end.
  for (unsigned input = 0; input < kernel_.inputs; ++input)
    if (kernel_.along(input, plan_.vectorLoop) == Along::Apart && !kernel_.isStrided(input, plan_.vectorLoop) &&
        !llvm::is_contained(plan_.toPack, input)) {
      mostRows = std::min<int64_t>(mostRows, 2);
      mostVectors = 1;
    }
  // Multiply-adds in a cycle of one iteration of the reduction, which is limited by multiply-adds, by loads (rows and
  // vectors) or by latency. Ties go to more rows, and then to the smaller tile.
  constexpr double preferRows = 0.02, clearlyBetter = 1.001;
  constexpr int64_t mostPreferred = 8;
  double best = 0;
  for (int64_t rows = 1; rows <= mostRows; ++rows)
    for (int64_t vectors = 1; vectors <= mostVectors; ++vectors) {
      if (!isPossible(rows, vectors))
        continue;
      int64_t width = vectors * plan_.lanes;
      double rowsUsed = double(rowRange) / (llvm::divideCeil(rowRange, rows) * rows);
      double lanesUsed = double(range) / (llvm::divideCeil(range, width) * width);
      double steps = rows * vectors, busy = std::max({steps, double(rows + vectors), kHostCosts.latency});
      double score = rowsUsed * lanesUsed * steps / busy * (1 + preferRows * std::min(rows, mostPreferred));
      if (score > best * clearlyBetter) {
        best = score;
        plan_.rows = rows;
        plan_.vectors = vectors;
      }
    }
}

void Planner::chooseTile() {
  if (plan_.transposed) {
    plan_.rows = plan_.lanes;
    return;
  }
  if (kernel_.reduces())
    return chooseTileOfSums();
  constexpr int64_t mostVectors = 4, mostRequested = 16;
  int64_t vectors = requested(HostVectors) ? std::min(requested(HostVectors), mostRequested) : mostVectors;
  plan_.vectors = std::clamp<int64_t>(kernel_.ranges[plan_.vectorLoop] / plan_.lanes, 1, vectors);
}

void Planner::chooseTasks() {
  for (auto [loop, range] : llvm::enumerate(kernel_.ranges)) {
    if (loop == plan_.vectorLoop || loop == plan_.rowLoop)
      continue;
    (kernel_.isParallel(loop) ? plan_.outer : plan_.reductions).push_back(loop);
  }
  int64_t depth = this->depth(), rowRange = rangeOf(plan_.rowLoop);
  int64_t width = plan_.vectors * plan_.lanes, range = plan_.alongReduction ? 1 : kernel_.ranges[plan_.vectorLoop];
  int64_t others = 1;
  for (unsigned loop : plan_.outer)
    others *= kernel_.ranges[loop];
  bool blocked = kernel_.reduces() && !plan_.alongReduction;
  // A task should be worth handing out, and there should be several a thread.
  constexpr int64_t stepsOfTask = kHostCosts.stepsOfTask, tasksOfThread = kHostCosts.tasksOfThread;
  auto stepsOf = [&](int64_t rows, int64_t elements) { return rows * llvm::divideCeil(elements, plan_.lanes) * depth; };
  plan_.rowsInside = blocked || plan_.transposed;
  int64_t elements = requested(HostTaskColumns) ? requested(HostTaskColumns) : stepsOfTask * plan_.lanes;
  plan_.vectorBlock = blocked ? width : llvm::alignTo(std::min(range, elements), width);
  int64_t wantedTasks = std::max<int64_t>(1, target_.threads * tasksOfThread);
  int64_t blocks = others * llvm::divideCeil(range, plan_.vectorBlock);
  int64_t rows = rowRange;
  if (blocks < wantedTasks)
    rows = llvm::divideCeil(rowRange, llvm::divideCeil(wantedTasks, blocks));
  int64_t least =
      std::max<int64_t>(1, stepsOfTask / std::max<int64_t>(1, stepsOf(1, std::min(range, plan_.vectorBlock))));
  rows = std::min(std::max(rows, least), rowRange);
  // Rows that are read again for the next vectors stay in a quarter of L2; their elements are taken for f32.
  constexpr int64_t shareOfLevel2 = 4, elementBytes = 4, portionsOfTask = 4;
  const int64_t rowBytes = std::max<int64_t>(1, depth * elementBytes);
  if (blocked)
    rows = std::min(rows, std::max<int64_t>(plan_.rows, target_.level2Bytes / shareOfLevel2 / rowBytes));
  else
    rows = std::min(rows, std::max<int64_t>(plan_.rows, 4 * least));
  if (requested(HostTaskRows))
    rows = std::min(requested(HostTaskRows), rowRange);
  plan_.rowBlock = std::max(plan_.rows, rows / plan_.rows * plan_.rows);
  plan_.tasks = others * llvm::divideCeil(range, plan_.vectorBlock) * llvm::divideCeil(rowRange, plan_.rowBlock);
  int64_t steps = stepsOf(std::min(plan_.rowBlock, rowRange), std::min(range, plan_.vectorBlock));
  int64_t worth = llvm::divideCeil(stepsOfTask, std::max<int64_t>(1, steps));
  plan_.portion = std::max<int64_t>(worth, plan_.tasks / (wantedTasks * portionsOfTask));
}

std::optional<LoopPlan> Planner::plan() {
  plan_.lanes = lanesOf(kernel_, target_);
  plan_.fusesHalves = target_.computesHalves;
  if (!chooseVectorLoop())
    return std::nullopt;
  chooseRowLoop();
  chooseTile();
  chooseTasks();
  for (unsigned input = 0; input < kernel_.inputs && kernel_.reduces(); ++input)
    if (hasClashingRows(input))
      plan_.toPad.push_back(input);
  return plan_;
}

std::optional<LoopPlan> planLoops(const LoopKernel &kernel, const HostTarget &target) {
  return Planner(kernel, target).plan();
}

} // namespace fuselage

#include "core/transforms/workgroups/reductions/ChooseSplitK.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

/// Efficiency (see WideTile) of tiles that are not from wideTiles(): an estimate.
constexpr double otherEfficiency = 0.3;

constexpr int64_t mostSplits = 128; ///< upper bound for the number of splits of K
/// Split-K is chosen only if its predicted cycles are below this fraction of those without it.
constexpr double worthwhile = 0.75;

/// The tile of a contraction, and its efficiency (see WideTile).
struct Tiling {
  SmallVector<int64_t> tile; ///< by loop
  double efficiency;
};

class Splitter {
public:
  Splitter(linalg::LinalgOp op, const TargetStrategy &strategy, const KernelContext &kernel)
      : op_(op), strategy_(strategy), costs_(strategy.costs()), kernel_(kernel),
        multiprocessors_(strategy.multiprocessors().value_or(1)), dims_(*contractionDims(op)),
        ranges_(op.getStaticLoopRanges()) {
    loop_ = *std::max_element(dims_.k.begin(), dims_.k.end(),
                              [&](unsigned a, unsigned b) { return ranges_[a] < ranges_[b]; });
    instructionK_ = strategy.instructionK(op, /*uneven=*/true);
    step_ = instructionK_ != 0 ? 2 * instructionK_ : strategy.contractionStep();
    operandBytes_ = elementBytes(getElementTypeOrSelf(op.getDpsInputs().front().getType()));
    for (Type type : op->getResultTypes())
      resultBytes_ += cast<RankedTensorType>(type).getNumElements() * elementBytes(getElementTypeOrSelf(type));
  }
  std::optional<WorkgroupSplit> choose() const;
  std::optional<WorkgroupSplit> requested(ArrayRef<int64_t> sizes) const;

private:
  Tiling plain() const;
  Tiling wide(const WideTile &tile) const; ///< with `tile` for the innermost M and N loops, 1 for other ones
  int64_t tilesOf(const Tiling &tiling) const;
  double cyclesOf(const Tiling &tiling, int64_t splits) const;
  bool isPossible(int64_t splits) const;

  linalg::LinalgOp op_;
  const TargetStrategy &strategy_;
  const DeviceCosts &costs_;
  const KernelContext &kernel_;
  int64_t multiprocessors_;
  linalg::ContractionDimensions dims_;
  SmallVector<int64_t> ranges_;
  unsigned loop_; ///< the longest reduction, which is split
  int64_t instructionK_, step_, operandBytes_, resultBytes_ = 0;
};

/// The tile without split-K.
Tiling Splitter::plain() const {
  linalg::LinalgOp op = op_;
  std::optional<WideTile> wide = strategy_.pickWideTile(op, kernel_);
  SmallVector<int64_t> targets = strategy_.workgroupTargets(cast<TilingInterface>(op.getOperation()), kernel_), tile;
  for (auto [range, target] : llvm::zip_equal(ranges_, targets))
    tile.push_back(target == 0 ? 0
                   : wide      ? std::min(range, target)
                               : pickTile(range, target, LastTile::OverlappingMultiple, kernel_.tileMultiple));
  return {.tile = tile, .efficiency = wide ? wide->efficiency : otherEfficiency};
}

Tiling Splitter::wide(const WideTile &tile) const {
  Tiling tiling{.tile = SmallVector<int64_t>(ranges_.size(), 1), .efficiency = tile.efficiency};
  for (unsigned loop : dims_.k)
    tiling.tile[loop] = 0;
  tiling.tile[dims_.m.back()] = tile.rows;
  tiling.tile[dims_.n.back()] = tile.columns;
  return tiling;
}

int64_t Splitter::tilesOf(const Tiling &tiling) const {
  int64_t tiles = 1;
  for (auto [range, size] : llvm::zip_equal(ranges_, tiling.tile))
    if (size > 0)
      tiles = std::min<int64_t>(tiles, int64_t(1) << 32) * llvm::divideCeil(range, size);
  return tiles;
}

/// Predicted cycles until the last multiprocessor is done, with `splits` splits of K; 1: no split-K.
double Splitter::cyclesOf(const Tiling &tiling, int64_t splits) const {
  int64_t results = op_->getNumResults(), rows = iterationsOf(dims_.m, tiling.tile),
          columns = iterationsOf(dims_.n, tiling.tile) * results;
  double rate = instructionK_ != 0 ? costs_.matrixMultiplyAdds * double(instructionK_) : costs_.multiplyAdds;
  // One iteration of K: limited by arithmetic or by reading operands.
  double cyclesOfIteration = std::max(double(rows * columns) / (rate * tiling.efficiency),
                                      double((rows + columns) * operandBytes_) / costs_.cacheBytes);
  int64_t rounds = llvm::divideCeil(tilesOf(tiling) * splits, multiprocessors_);
  // K iterations of one workgroup, in whole serial steps.
  int64_t iterations = llvm::alignTo(llvm::divideCeil(iterationsOf(dims_.k, ranges_), splits), step_);
  double cycles = double(rounds) * (costs_.workgroup + double(iterations) * cyclesOfIteration);
  // The second kernel; partial results are written once and read once.
  if (splits > 1)
    cycles += costs_.launch * double(results) + double(splits) * costs_.partial +
              2.0 * double(splits) * double(resultBytes_) / (costs_.memoryBytes * double(multiprocessors_));
  return cycles;
}

/// Returns true if the longest reduction loop can be cut into `splits` equal splits. A split has at least `leastSteps`
/// serial steps. It is a multiple of the step, and of 16 bytes, if the loop is. All partial results together fit in
/// mostPartialBytes.
bool Splitter::isPossible(int64_t splits) const {
  int64_t range = ranges_[loop_], length = range / splits;
  constexpr int64_t leastSteps = 4;
  auto keeps = [&](int64_t whole) { return range % whole != 0 || length % whole == 0; };
  return range % splits == 0 && length >= step_ && iterationsOf(dims_.k, ranges_) / splits >= leastSteps * step_ &&
         keeps(step_) && keeps(std::max<int64_t>(16 / operandBytes_, 1)) && splits * resultBytes_ <= mostPartialBytes;
}

/// Returns the tile and the number of splits with the fewest predicted cycles, at most two workgroups per
/// multiprocessor. Returns nullopt if none is below `worthwhile` of the cycles without split-K.
std::optional<WorkgroupSplit> Splitter::choose() const {
  Tiling usual = plain();
  SmallVector<Tiling> tilings{usual};
  for (const WideTile &tile : strategy_.wideTiles(op_, kernel_))
    tilings.push_back(wide(tile));
  double least = worthwhile * cyclesOf(usual, 1);
  std::optional<WorkgroupSplit> best;
  for (const Tiling &tiling : tilings)
    for (int64_t splits = 2; splits <= mostSplits && tilesOf(tiling) * splits <= 2 * multiprocessors_; ++splits) {
      if (!isPossible(splits) || cyclesOf(tiling, splits) >= least)
        continue;
      least = cyclesOf(tiling, splits);
      best = WorkgroupSplit{.op = op_, .workgroup = tiling.tile, .split = SmallVector<int64_t>(ranges_.size(), 0)};
      best->split[loop_] = ranges_[loop_] / splits;
    }
  return best;
}

/// Returns the split that the op's TilingConfig requests. `sizes`: iterations per workgroup, by loop. Splits the first
/// reduction loop whose size is smaller than its range and divides it. Returns nullopt if there is none.
std::optional<WorkgroupSplit> Splitter::requested(ArrayRef<int64_t> sizes) const {
  for (unsigned loop : dims_.k) {
    if (sizes[loop] == 0 || sizes[loop] >= ranges_[loop] || ranges_[loop] % sizes[loop] != 0)
      continue;
    WorkgroupSplit split{.op = op_, .workgroup = plain().tile, .split = SmallVector<int64_t>(ranges_.size(), 0)};
    split.split[loop] = sizes[loop];
    return split;
  }
  return std::nullopt;
}

} // namespace

std::optional<WorkgroupSplit> chooseSplitK(linalg::LinalgOp op, const TargetStrategy &strategy,
                                           const KernelContext &kernel, bool mayChoose) {
  if (!contractionDims(op) || ShapedType::isDynamicShape(op.getStaticLoopRanges()) || !canSplitReduction(op))
    return std::nullopt;
  TilingConfig config = readTilingConfig(op);
  if (SmallVector<int64_t> sizes = sizesForLoops(config.split, op.getNumLoops()); !sizes.empty())
    return Splitter(op, strategy, kernel).requested(sizes);
  // An op with other requested sizes keeps them: no split-K.
  if (!mayChoose || !strategy.multiprocessors() || !config.empty())
    return std::nullopt;
  return Splitter(op, strategy, kernel).choose();
}

} // namespace fuselage

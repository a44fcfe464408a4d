#include "core/transforms/workgroups/reductions/ChooseSplit.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/reductions/ReductionShape.h"
#include "core/transforms/workgroups/sizes/PickTile.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t subgroup = 32;
constexpr int64_t usualThreads = 128;             ///< of a workgroup that shares a row or columns
constexpr int64_t leastIterations = 64;           ///< a shorter reduction is left to one thread
constexpr int64_t leastSteps = 4;                 ///< of a thread
constexpr int64_t workgroupsOfMultiprocessor = 4; ///< that take part in a reduction
constexpr int64_t anyResults = std::numeric_limits<int64_t>::max();

//===-- Rows --------------------------------------------------------------===//

/// Returns the threads of a workgroup for a row of `iterations`: the number, of at least half of usualThreads where the
/// row is long enough, that leaves the fewest iterations at the end.
int64_t threadsForRow(int64_t iterations, int64_t perRead) {
  int64_t multiple = perRead > 1 ? 4 : 8;
  int64_t most =
      std::max<int64_t>(std::min(usualThreads, iterations / (leastSteps * perRead)) / multiple, 1) * multiple;
  int64_t best = most;
  for (int64_t threads = most; 2 * threads >= most && threads >= multiple; threads -= multiple)
    if (iterations % (threads * perRead) < iterations % (best * perRead))
      best = threads;
  return best;
}

ReductionSplit chooseRows(const ReductionExtents &extents, const TargetStrategy &strategy) {
  int64_t k = extents.iterations, rows = extents.results, perRead = extents.perRead;
  ReductionSplit split{.kind = SplitKind::Rows, .threads = threadsForRow(k, perRead), .perRead = perRead};
  if (strategy.shouldSplitReduction(rows, k, extents.elementBytes)) {
    constexpr int64_t leastRun = 2048, multiple = 16;
    int64_t most = std::min(k / leastRun, strategy.multiprocessorsOrUsual() * workgroupsOfMultiprocessor / rows) /
                   multiple * multiple;
    // The number of workgroups, from `most` to half of it, that leaves the fewest iterations at the end.
    for (int64_t workgroups = most, least = k; workgroups >= multiple && 2 * workgroups >= most;
         workgroups -= multiple) {
      int64_t threads = threadsForRow(k / workgroups, perRead), left = k % (workgroups * threads * perRead);
      if (left >= least)
        continue;
      split.workgroups = workgroups;
      split.threads = threads;
      least = left;
    }
  }
  split.steps = k / (split.workgroups * split.threads * perRead);
  int64_t mostRows = std::max<int64_t>(rows / strategy.multiprocessorsOrUsual(), 1);
  split.tile = std::clamp<int64_t>(usualThreads / split.threads, 1, mostRows);
  return split;
}

//===-- Columns -----------------------------------------------------------===//

/// Returns the columns of a workgroup: as many as a subgroup reads at a time, or the largest number down to half of
/// that which divides `columns`.
int64_t columnsOfWorkgroup(int64_t columns, int64_t perRead) {
  int64_t most = std::min(columns, subgroup * perRead);
  for (int64_t count = most / perRead * perRead; 2 * count >= most; count -= perRead)
    if (columns % count == 0)
      return count;
  return most;
}

/// Returns the number of workgroups that share a column, from `most` to half of it, that leaves the fewest iterations
/// at the end; 1 if `most` is too small.
int64_t workgroupsForColumn(int64_t iterations, int64_t threads, int64_t most) {
  constexpr int64_t multiple = 4; // the kernel that combines them does so in two steps
  int64_t best = 1, least = std::numeric_limits<int64_t>::max();
  for (int64_t count = most / multiple * multiple; count >= multiple && 2 * count >= most; count -= multiple)
    if (int64_t left = iterations % (count * threads); left < least) {
      best = count;
      least = left;
    }
  return best;
}

ReductionSplit chooseColumns(const ReductionExtents &extents, const TargetStrategy &strategy) {
  int64_t k = extents.iterations, columns = columnsOfWorkgroup(extents.columns, extents.perRead);
  constexpr int64_t even = 4;
  int64_t threads =
      std::clamp<int64_t>(usualThreads * extents.perRead / columns, 2, std::max<int64_t>(k / leastSteps, 2));
  threads = threads > even ? threads / even * even : threads;
  ReductionSplit split{.kind = SplitKind::Columns, .threads = threads, .tile = columns};
  int64_t tiles = llvm::divideCeil(extents.columns, columns) * extents.results;
  if (strategy.shouldSplitReduction(tiles, k * columns, extents.elementBytes)) {
    constexpr int64_t leastRows = 8; // of a thread
    split.workgroups = workgroupsForColumn(
        k, threads,
        std::min(k / (leastRows * threads), strategy.multiprocessorsOrUsual() * workgroupsOfMultiprocessor / tiles));
  }
  split.steps = k / (split.workgroups * threads);
  return split;
}

//===-- Few results -------------------------------------------------------===//

ReductionSplit chooseStrided(const ReductionExtents &extents, const LongReductionOptions &options) {
  constexpr int64_t stepsOfPartial = 8, mostWorkgroups = 256, leastPartials = 32;
  int64_t k = extents.iterations;
  ReductionSplit split{.kind = SplitKind::Strided, .threads = options.partials, .tile = options.workgroupPartials};
  while (split.threads > leastPartials && k / split.threads < stepsOfPartial)
    split.threads /= 2;
  int64_t ofWorkgroup = split.tile > 0 ? split.tile : split.threads;
  int64_t tiles = extents.results * llvm::divideCeil(split.threads, ofWorkgroup), steps = k / split.threads;
  int64_t wanted =
      std::min({llvm::divideCeilSigned(options.workgroups, tiles), steps / (2 * stepsOfPartial), mostWorkgroups});
  int64_t even = largestDivisor(steps, wanted);
  split.workgroups = 2 * even >= wanted ? even : wanted;
  split.steps = steps / split.workgroups;
  return split;
}

/// Returns true if the innermost dimension of the main input, or for a reduction that is no contraction of any input,
/// is reduced.
bool reducesAlongMemory(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  auto isRow = [&](OpOperand *input) {
    std::optional<unsigned> inner = innermostLoop(op.getMatchingIndexingMap(input));
    return inner && iterators[*inner] == utils::IteratorType::reduction;
  };
  return contractionDims(op) ? isRow(mainInput(op)) : llvm::any_of(op.getDpsInputOperands(), isRow);
}

/// Returns true if neighbours in the main input belong to neighbouring results.
bool reducesAcrossMemory(linalg::LinalgOp op) {
  OpOperand *main = mainInput(op);
  std::optional<unsigned> inner = main ? innermostLoop(op.getMatchingIndexingMap(main)) : std::nullopt;
  return inner && inner == innermostLoop(op.getMatchingIndexingMap(op.getDpsInitOperand(0))) &&
         op.getIteratorTypesArray()[*inner] == utils::IteratorType::parallel;
}

} // namespace

bool canSplit(linalg::LinalgOp op, SplitKind kind, const TargetStrategy &strategy) {
  if (op->hasAttr(kThreadReductionAttr) || op->hasAttr(kSplitsAttr))
    return false;
  bool isContraction = contractionDims(op).has_value();
  switch (kind) {
  case SplitKind::Rows:
    return (!isContraction || isSkinnyContraction(op)) && isLongReduction(op, anyResults, leastIterations) &&
           reducesAlongMemory(op);
  case SplitKind::Columns:
    return (!isContraction || isSkinnyContraction(op)) && isLongReduction(op, anyResults, leastIterations) &&
           readTilingConfig(op).empty() && reducesAcrossMemory(op);
  case SplitKind::Strided:
    return !isContraction && readTilingConfig(op).empty() &&
           llvm::any_of(strategy.longReductions().limits, [&](const LongReductionOptions::Limit &limit) {
             return isLongReduction(op, limit.mostResults, limit.leastIterations);
           });
  case SplitKind::Runs:
    return false; // see chooseRuns
  }
  return false;
}

ReductionExtents extentsOf(linalg::LinalgOp op, SplitKind kind) {
  SmallVector<unsigned> parallel, reductions;
  op.getParallelDims(parallel);
  op.getReductionDims(reductions);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  ReductionExtents extents{.iterations = iterationsOf(reductions, ranges), .results = iterationsOf(parallel, ranges)};
  OpOperand *main = mainInput(op);
  if (!main)
    return extents;
  extents.elementBytes = elementBytes(getElementTypeOrSelf(main->get().getType()));
  if (kind == SplitKind::Columns) {
    AffineMap map = op.getMatchingIndexingMap(main);
    unsigned inner = *innermostLoop(map);
    llvm::erase_if(parallel, [&](unsigned loop) { return loop == inner || !map.isFunctionOfDim(loop); });
    extents.results = iterationsOf(parallel, ranges);
    extents.columns = ranges[inner];
  }
  extents.perRead = elementsPerRead(op, kind == SplitKind::Columns ? extents.columns : extents.iterations);
  return extents;
}

ReductionSplit chooseSplit(const ReductionExtents &extents, SplitKind kind, const TargetStrategy &strategy) {
  switch (kind) {
  case SplitKind::Rows:
    return chooseRows(extents, strategy);
  case SplitKind::Columns:
    return chooseColumns(extents, strategy);
  case SplitKind::Strided:
  case SplitKind::Runs:
    break;
  }
  return chooseStrided(extents, strategy.longReductions());
}

std::optional<ReductionSplit> chooseRuns(linalg::LinalgOp op, int64_t threads) {
  constexpr int64_t leastLength = 1 << 15, runsOfThread = 4;
  if (threads < 2 || !isLongReduction(op, 2 * threads - 1, leastLength))
    return std::nullopt;
  ReductionSplit split{.kind = SplitKind::Runs, .threads = threads * runsOfThread};
  split.steps = extentsOf(op, split.kind).iterations / split.threads;
  return split;
}

} // namespace fuselage

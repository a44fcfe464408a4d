#include "core/transforms/workgroups/reductions/ChooseSplit.h"
#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/reductions/ReductionFactors.h"
#include "core/transforms/workgroups/reductions/ReductionInputs.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace mlir;

namespace fuselage {
namespace {

constexpr int64_t subgroup = 32;

/// How the elements of a column are shared: `parts` runs of rows for workgroups, in each of which `groups` of threads
/// take a row a step. What is left at the end is added behind.
struct ColumnShare {
  int64_t parts, groups, columns, steps;
  int64_t taken() const { return parts * groups * steps; }
};

/// Columns of a workgroup, of `all`: as many as a subgroup reads at a time, `width` a thread, or somewhat fewer that
/// divide them.
int64_t columnsFor(int64_t all, int64_t width) {
  int64_t most = std::min(all, subgroup * width);
  for (int64_t columns = most / width * width; 2 * columns >= most; columns -= width)
    if (all % columns == 0)
      return columns;
  return most;
}

/// Parts of `depth` rows: about as many as `most`, and those of them that leave the fewest rows at the end.
int64_t partsFor(int64_t depth, int64_t groups, int64_t most) {
  constexpr int64_t multiple = 4; // the kernel that adds them up does so in two steps
  int64_t best = 1, least = std::numeric_limits<int64_t>::max();
  for (int64_t parts = most / multiple * multiple; parts >= multiple && 2 * parts >= most; parts -= multiple)
    if (int64_t left = depth % (parts * groups); left < least) {
      best = parts;
      least = left;
    }
  return best;
}

class ColumnSharer {
public:
  ColumnSharer(RewriterBase &rewriter, const TargetStrategy &strategy) : rewriter_(rewriter), strategy_(strategy) {}

  /// A sum, or a maximum, .. down columns that lie side by side, or such a product of few rows.
  static bool isColumnSum(linalg::LinalgOp op) {
    if (op->hasAttr(kThreadReductionAttr) || op->hasAttr(kSplitsAttr)) // what rows were taken apart into
      return false;
    if ((contractionDims(op) && !isSkinnyProduct(op)) ||
        !isLongReduction(op, std::numeric_limits<int64_t>::max(), leastDepthOfSum) || !readTilingConfig(op).empty())
      return false;
    OpOperand *main = mainInput(op);
    if (!main)
      return false;
    std::optional<unsigned> inner = innermostLoop(op.getMatchingIndexingMap(main));
    return inner.has_value() && inner == innermostLoop(op.getMatchingIndexingMap(op.getDpsInitOperand(0))) &&
           op.getIteratorTypesArray()[inner.value()] == utils::IteratorType::parallel;
  }

  void takeApart(linalg::GenericOp sum) {
    SmallVector<unsigned> reductions;
    sum.getReductionDims(reductions);
    ColumnShare share = shareOf(sum, reductions.front());
    if (contractionDims(sum))
      markThreadReduction(rewriter_, sum);
    if (share.parts > 1)
      sum->emitRemark("its rows are split among ")
          << share.parts << " workgroups: one for " << share.columns << " columns leaves much of the device idle; "
          << "a kernel after them adds up their partial results";
    replaceSum(
        rewriter_, sum, share.taken(), [&](linalg::GenericOp most) { return addUp(most, share); },
        [&](linalg::GenericOp all) {
          if (share.parts == 1)
            askForColumns(all, sum, share, 0);
        });
  }

private:
  ColumnShare shareOf(linalg::GenericOp sum, unsigned loop) const {
    SmallVector<int64_t> ranges = sum.getStaticLoopRanges();
    unsigned inner = *innermostLoop(sum.getMatchingIndexingMap(mainInput(sum)));
    int64_t width = elementsPerRead(sum, ranges[inner]), depth = ranges[loop],
            columns = columnsFor(ranges[inner], width);
    constexpr int64_t leastSteps = 4, even = 4;
    int64_t groups = std::clamp<int64_t>(threadsOfSum * width / columns, 2, std::max<int64_t>(depth / leastSteps, 2));
    groups = groups > even ? groups / even * even : groups;
    ColumnShare share{.parts = 1, .groups = groups, .columns = columns, .steps = 0};
    int64_t tiles = llvm::divideCeil(ranges[inner], columns);
    for (auto [range, iterator, number] :
         llvm::zip_equal(ranges, sum.getIteratorTypesArray(), llvm::seq<unsigned>(0, ranges.size())))
      if (iterator == utils::IteratorType::parallel && number != inner &&
          sum.getMatchingIndexingMap(mainInput(sum)).isFunctionOfDim(number))
        tiles *= range;
    int64_t bytes = elementBytes(getElementTypeOrSelf(mainInput(sum)->get().getType()));
    if (strategy_.shouldSplitReduction(tiles, depth * columns, bytes)) {
      constexpr int64_t workgroupsOfProcessor = 4, leastRows = 8; // of a thread
      share.parts = partsFor(
          depth, groups,
          std::min(depth / (leastRows * groups), strategy_.multiprocessorsOrUsual() * workgroupsOfProcessor / tiles));
    }
    share.steps = depth / (share.parts * groups);
    return share;
  }

  /// The partial results of `sum`, added up.
  linalg::GenericOp addUp(linalg::GenericOp sum, const ColumnShare &share) {
    ReductionFactors factors{.loops = {}, .inFront = true};
    if (share.parts > 1)
      factors.loops.push_back({share.parts, false});
    factors.loops.push_back({share.steps, true});
    factors.loops.push_back({share.groups, false});
    Value partial = factorReduction(rewriter_, sum, factors).getResult(0), init = sum.getDpsInits().front();
    if (share.parts == 1)
      return combinePartials(rewriter_, sum, 0, partial, 0, init);
    linalg::GenericOp part =
        combinePartials(rewriter_, sum, 0, partial, 1, neutralResult(rewriter_, sum, {share.parts}, true));
    askForColumns(part, sum, share, 1);
    return addUpInKernel(rewriter_, sum, part, share.parts, true);
  }

  /// Asks for the columns of a workgroup, and for all rows that its main input is read again for, of `op`, whose
  /// results are those of `sum` behind `more` other dimensions.
  void askForColumns(linalg::GenericOp op, linalg::GenericOp sum, const ColumnShare &share, unsigned more) {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges(), targets(ranges.size(), 1);
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    auto loopOf = [&](unsigned dim) { return cast<AffineDimExpr>(written.getResult(dim)).getPosition(); };
    for (unsigned loop = 0; loop < ranges.size(); ++loop)
      if (!llvm::is_contained(parallel, loop))
        targets[loop] = 0;
    targets[loopOf(written.getNumResults() - 1)] = share.columns;
    for (unsigned dim : repeatedDims(sum))
      targets[loopOf(dim + more)] = ranges[loopOf(dim + more)];
    writeTilingConfig(op, {.workgroup = targets, .reduction = {}});
  }

  RewriterBase &rewriter_;
  const TargetStrategy &strategy_;
};

} // namespace

void shareColumns(RewriterBase &rewriter, Block &body, const TargetStrategy &strategy) {
  if (!strategy.splitsReductionsOverThreads())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  ColumnSharer sharer(rewriter, strategy);
  takeSumsApart(rewriter, body, ColumnSharer::isColumnSum, [&](linalg::GenericOp sum) { sharer.takeApart(sum); });
}

} // namespace fuselage

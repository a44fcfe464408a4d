#include "core/transforms/workgroups/reductions/ReductionInputs.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/reductions/ReductionFactors.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

/// How the elements of a row are shared: `parts` runs for workgroups, in each of which `threads` take `width`
/// neighbours a step. What is left at the end is added behind.
struct RowShare {
  int64_t parts, threads, width, steps;
  int64_t taken() const { return parts * threads * width * steps; }
};

/// Threads for `depth` elements in a row: the number, of about as many as there may be, that leaves the fewest elements
/// at the end.
int64_t threadsFor(int64_t depth, int64_t width) {
  constexpr int64_t leastSteps = 4;
  int64_t multiple = width > 1 ? 4 : 8;
  int64_t most = std::max<int64_t>(std::min(threadsOfSum, depth / (leastSteps * width)) / multiple, 1) * multiple;
  int64_t best = most;
  for (int64_t threads = most; 2 * threads >= most && threads >= multiple; threads -= multiple)
    if (depth % (threads * width) < depth % (best * width))
      best = threads;
  return best;
}

RowShare shareOf(linalg::GenericOp sum, int64_t rows, int64_t depth, const TargetStrategy &strategy) {
  int64_t width = elementsPerRead(sum, depth),
          bytes = elementBytes(getElementTypeOrSelf(mainInput(sum)->get().getType()));
  RowShare share{.parts = 1, .threads = threadsFor(depth, width), .width = width, .steps = 0};
  if (strategy.shouldSplitReduction(rows, depth, bytes)) {
    constexpr int64_t leastOfPart = 2048, workgroupsOfProcessor = 4, multiple = 16;
    int64_t most = std::min(depth / leastOfPart, strategy.multiprocessorsOrUsual() * workgroupsOfProcessor / rows) /
                   multiple * multiple;
    for (int64_t parts = most, least = depth; parts >= multiple && 2 * parts >= most; parts -= multiple) {
      int64_t threads = threadsFor(depth / parts, width), left = depth % (parts * threads * width);
      if (left < least) {
        share = {.parts = parts, .threads = threads, .width = width, .steps = 0};
        least = left;
      }
    }
  }
  share.steps = depth / (share.parts * share.threads * share.width);
  return share;
}

/// Whether `op` is elementwise, with one result that has an element for each iteration, and nothing reads what that was
/// before.
bool writesEachOnce(linalg::LinalgOp op) {
  return op && op.hasPureTensorSemantics() && op->getNumResults() == 1 && op.getNumReductionLoops() == 0 &&
         !isa<linalg::FillOp>(op) && op.getIndexingMapsArray().back().isPermutation() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// The producer of `input` that can be computed in the op that reads it, null if there is none.
linalg::LinalgOp mergeable(OpOperand *input) {
  auto producer = input->get().getDefiningOp<linalg::LinalgOp>();
  bool isHere = producer && producer->getBlock() == input->getOwner()->getBlock();
  return isHere && writesEachOnce(producer) ? producer : linalg::LinalgOp();
}

FailureOr<linalg::GenericOp> asGeneric(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  rewriter.setInsertionPoint(op);
  return linalg::generalizeNamedOp(rewriter, op);
}

/// The producer of `input` as part of the op that reads it; what others read of it stays.
FailureOr<linalg::GenericOp> mergeInto(RewriterBase &rewriter, OpOperand *input) {
  auto reader = cast<linalg::GenericOp>(input->getOwner());
  linalg::LinalgOp producer = mergeable(input);
  rewriter.setInsertionPoint(reader);
  auto copy = cast<linalg::LinalgOp>(rewriter.clone(*producer));
  FailureOr<linalg::GenericOp> made = asGeneric(rewriter, copy);
  if (failed(made))
    return rewriter.eraseOp(copy), failure();
  rewriter.modifyOpInPlace(reader, [&] { input->set(made->getResult(0)); });
  rewriter.setInsertionPoint(reader);
  FailureOr<linalg::ElementwiseOpFusionResult> merged = failure();
  if (linalg::areElementwiseOpsFusable(input))
    merged = linalg::fuseElementwiseOps(rewriter, input);
  if (failed(merged)) {
    rewriter.modifyOpInPlace(reader, [&] { input->set(producer->getResult(0)); });
    rewriter.eraseOp(*made);
    return failure();
  }
  for (OpResult old : reader->getResults())
    rewriter.replaceAllUsesWith(old, merged->replacements.lookup(old));
  rewriter.eraseOp(reader);
  if ((*made)->use_empty())
    rewriter.eraseOp(*made);
  if (producer->use_empty())
    rewriter.eraseOp(producer);
  return cast<linalg::GenericOp>(merged->fusedOp);
}

/// `op` with what is elementwise in front of it and `isWanted`, as far as there are bindings for what it reads then.
linalg::GenericOp mergeInputs(RewriterBase &rewriter, linalg::GenericOp op,
                              llvm::function_ref<bool(OpOperand *)> isWanted) {
  constexpr int64_t mostInputs = 12;
  for (bool isMore = true; isMore && op.getNumDpsInputs() < mostInputs;) {
    isMore = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!mergeable(input) || !isWanted(input))
        continue;
      FailureOr<linalg::GenericOp> merged = mergeInto(rewriter, input);
      if (failed(merged))
        continue;
      op = *merged;
      isMore = true;
      break;
    }
  }
  return op;
}

bool isAlongRows(OpOperand *input) {
  auto op = cast<linalg::LinalgOp>(input->getOwner());
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::any_of(reductions,
                      [&](unsigned loop) { return op.getMatchingIndexingMap(input).isFunctionOfDim(loop); });
}

bool isFromOutside(Value value, Block *body) {
  auto producer = value.getDefiningOp<linalg::LinalgOp>();
  if (!producer || producer->getBlock() != body)
    return true;
  if (producer.getNumReductionLoops() > 0)
    return workKindOf(cast<TilingInterface>(producer.getOperation())) == WorkKind::Reduction;
  return writesEachOnce(producer) &&
         llvm::all_of(producer.getDpsInputs(), [&](Value input) { return isFromOutside(input, body); });
}

class RowSharer {
public:
  RowSharer(RewriterBase &rewriter, const TargetStrategy &strategy) : rewriter_(rewriter), strategy_(strategy) {}

  /// A sum, or a maximum, .. of rows that lie along memory.
  static bool isRowSum(linalg::LinalgOp op) {
    bool isProduct = contractionDims(op).has_value();
    if ((isProduct && !isSkinnyProduct(op)) ||
        !isLongReduction(op, std::numeric_limits<int64_t>::max(), leastDepthOfSum))
      return false;
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    auto isRow = [&](OpOperand *input) {
      std::optional<unsigned> inner = innermostLoop(op.getMatchingIndexingMap(input));
      return inner && iterators[*inner] == utils::IteratorType::reduction;
    };
    return isProduct ? isRow(mainInput(op)) : llvm::any_of(op.getDpsInputOperands(), isRow);
  }

  void takeApart(linalg::GenericOp sum) {
    SmallVector<unsigned> parallel, reductions;
    sum.getParallelDims(parallel);
    sum.getReductionDims(reductions);
    SmallVector<int64_t> ranges = sum.getStaticLoopRanges();
    unsigned loop = reductions.front();
    int64_t rows = iterationsOf(parallel, ranges), depth = ranges[loop];
    RowShare share = shareOf(sum, rows, depth, strategy_);
    if (contractionDims(sum))
      markThreadReduction(rewriter_, sum);
    if (share.parts > 1) {
      InFlightDiagnostic remark = sum->emitRemark("each of its ") << rows << " rows of " << depth << " is split among "
                                                                  << share.parts << " workgroups: ";
      if (std::optional<int64_t> multiprocessors = strategy_.multiprocessors())
        remark << "one a row leaves much of " << *multiprocessors << " multiprocessors idle; ";
      remark << "a kernel after them adds up their partial results";
    }
    repeated_ = repeatedDims(sum);
    int64_t mostRows = std::max<int64_t>(rows / strategy_.multiprocessorsOrUsual(), 1);
    replaceSum(
        rewriter_, sum, share.taken(), [&](linalg::GenericOp most) { return addUp(most, share, mostRows); },
        [&](linalg::GenericOp all) { askForRows(all, share.threads, mostRows, sum); });
  }

private:
  /// The partial results of `sum`, added up.
  linalg::GenericOp addUp(linalg::GenericOp sum, const RowShare &share, int64_t mostRows) {
    constexpr int64_t most = 32;
    int64_t low = balancedFactor(share.threads, most);
    ReductionFactors factors;
    if (share.parts > 1)
      factors.loops.push_back({share.parts, false});
    factors.loops.push_back({share.steps, true});
    if (share.threads != low)
      factors.loops.push_back({share.threads / low, false});
    factors.loops.push_back({low, false});
    if (share.width > 1)
      factors.loops.push_back({share.width, true});
    Value partial = factorReduction(rewriter_, sum, factors).getResult(0), init = sum.getDpsInits().front();
    unsigned first = cast<RankedTensorType>(init.getType()).getRank();
    SmallVector<int64_t> parts;
    if (share.parts > 1) {
      parts.push_back(share.parts);
      ++first;
    }
    if (share.threads != low) {
      SmallVector<int64_t> rest(parts);
      rest.push_back(low);
      partial =
          combinePartials(rewriter_, sum, 0, partial, first, neutralResult(rewriter_, sum, rest, false)).getResult(0);
    }
    linalg::GenericOp all = combinePartials(rewriter_, sum, 0, partial, first,
                                            parts.empty() ? init : neutralResult(rewriter_, sum, parts, false));
    if (parts.empty())
      return all;
    askForRows(all, share.threads, mostRows, {});
    return addUpInKernel(rewriter_, sum, all, share.parts, false);
  }

  /// Asks for as many rows of a workgroup as its threads have something to do for, `most` at most, and for all that the
  /// main input is read again for; for what `sum` asks, if it does.
  void askForRows(linalg::GenericOp op, int64_t threads, int64_t most, linalg::GenericOp sum) {
    TilingConfig config = sum ? readTilingConfig(sum) : TilingConfig{};
    if (SmallVector<int64_t> asked = sizesForLoops(config.workgroup, op.getNumLoops()); !asked.empty())
      return writeTilingConfig(op, {.workgroup = asked, .reduction = {}});
    SmallVector<int64_t> ranges = op.getStaticLoopRanges(), targets(ranges.size(), 0);
    SmallVector<unsigned> parallel;
    op.getParallelDims(parallel);
    shareOut(llvm::to_vector_of<unsigned>(llvm::reverse(parallel)), ranges,
             std::clamp<int64_t>(threadsOfSum / threads, 1, most), targets);
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (unsigned dim : repeated_)
      if (auto loop = dyn_cast<AffineDimExpr>(written.getResult(dim)))
        targets[loop.getPosition()] = ranges[loop.getPosition()];
    writeTilingConfig(op, {.workgroup = targets, .reduction = {}});
  }

  RewriterBase &rewriter_;
  const TargetStrategy &strategy_;
  SmallVector<unsigned> repeated_; ///< of the sum that is taken apart, as dimensions of its result
};

} // namespace

/// Whether an op beside `sum` computes what its reductions walk.
static bool walksComputed(linalg::GenericOp sum) {
  return llvm::any_of(sum.getDpsInputOperands(), [&](OpOperand *input) {
    TilingInterface producer = asTileable(input->get().getDefiningOp());
    return isAlongRows(input) && producer && producer->getBlock() == sum->getBlock();
  });
}

void takeSumsApart(RewriterBase &rewriter, Block &body, llvm::function_ref<bool(linalg::LinalgOp)> isOne,
                   llvm::function_ref<void(linalg::GenericOp)> takeApart) {
  SmallVector<linalg::LinalgOp> sums;
  for (auto op : body.getOps<linalg::LinalgOp>())
    if (isOne(op) && hasExternalInputs(op))
      sums.push_back(op);
  bool isAny = false;
  for (linalg::LinalgOp op : sums) {
    FailureOr<linalg::GenericOp> sum = fuseInputs(rewriter, op);
    if (failed(sum) || !isOne(*sum) || walksComputed(*sum))
      continue;
    takeApart(*sum);
    isAny = true;
  }
  if (isAny)
    fuseElementwiseChains(rewriter, body);
}

bool hasExternalInputs(linalg::LinalgOp sum) {
  return llvm::all_of(sum.getDpsInputs(), [&](Value input) { return isFromOutside(input, sum->getBlock()); });
}

FailureOr<linalg::GenericOp> fuseInputs(RewriterBase &rewriter, linalg::LinalgOp sum) {
  FailureOr<linalg::GenericOp> made = collapseReductions(rewriter, sum);
  return failed(made) ? made : mergeInputs(rewriter, *made, isAlongRows);
}

void fuseElementwiseChains(RewriterBase &rewriter, Block &body) {
  auto isChain = [](OpOperand *input) {
    auto reader = cast<linalg::LinalgOp>(input->getOwner());
    return mergeable(input) && input->get().hasOneUse() && reader.getMatchingIndexingMap(input).isPermutation();
  };
  auto mergeOne = [&] {
    for (auto op : llvm::make_early_inc_range(body.getOps<linalg::LinalgOp>())) {
      if (!writesEachOnce(op) || llvm::none_of(op.getDpsInputOperands(), isChain))
        continue;
      FailureOr<linalg::GenericOp> made = asGeneric(rewriter, op);
      if (succeeded(made) && mergeInputs(rewriter, *made, isChain) != *made)
        return true;
    }
    return false;
  };
  while (mergeOne()) {
  }
}

void shareRows(RewriterBase &rewriter, Block &body, const TargetStrategy &strategy) {
  if (!strategy.splitsReductionsOverThreads())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  RowSharer sharer(rewriter, strategy);
  takeSumsApart(rewriter, body, RowSharer::isRowSum, [&](linalg::GenericOp sum) { sharer.takeApart(sum); });
}

} // namespace fuselage

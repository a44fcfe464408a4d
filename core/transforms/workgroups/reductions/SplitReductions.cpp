#include "core/transforms/workgroups/reductions/SplitReductions.h"
#include "core/transforms/workgroups/reductions/ApplySplit.h"
#include "core/transforms/workgroups/reductions/ChooseSplit.h"
#include "core/transforms/workgroups/reductions/ReductionInputs.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Splits the reductions of one block in one way.
class ReductionSplitter {
public:
  ReductionSplitter(RewriterBase &rewriter, SplitKind kind, const TargetStrategy &strategy)
      : rewriter_(rewriter), kind_(kind), strategy_(strategy), options_(strategy.longReductions()) {}

  void run(Block &body);
  std::vector<WorkgroupSplit> takePending() { return std::move(pending_); }

private:
  bool isCandidate(linalg::LinalgOp op) const;
  FailureOr<linalg::LinalgOp> prepare(linalg::LinalgOp op);
  void remarkOnWorkgroups(linalg::LinalgOp op, const ReductionExtents &extents, const ReductionSplit &split) const;
  WorkgroupSplit splitAmongWorkgroups(linalg::GenericOp partial, const ReductionSplit &split) const;

  RewriterBase &rewriter_;
  const SplitKind kind_;
  const TargetStrategy &strategy_;
  const LongReductionOptions options_;
  bool hasFused_ = false; ///< elementwise producers into reductions
  std::vector<WorkgroupSplit> pending_;
};

/// Threads that share a row or columns compute its producers, too; neighbouring partial results, only if the strategy
/// says so.
bool ReductionSplitter::isCandidate(linalg::LinalgOp op) const {
  if (!canSplit(op, kind_, strategy_))
    return false;
  if (kind_ == SplitKind::Strided && !reducesComputedInput(op))
    return true;
  return (kind_ != SplitKind::Strided || options_.fusesInputs) && hasExternalInputs(op);
}

/// Fuses the producers of a candidate. Fails if it cannot be split then.
FailureOr<linalg::LinalgOp> ReductionSplitter::prepare(linalg::LinalgOp op) {
  if (kind_ == SplitKind::Strided && !reducesComputedInput(op))
    return op;
  FailureOr<linalg::GenericOp> fused = fuseInputs(rewriter_, op);
  if (failed(fused) || !canSplit(*fused, kind_, strategy_) || reducesComputedInput(*fused))
    return failure();
  hasFused_ = true;
  return cast<linalg::LinalgOp>(fused->getOperation());
}

void ReductionSplitter::remarkOnWorkgroups(linalg::LinalgOp op, const ReductionExtents &extents,
                                           const ReductionSplit &split) const {
  if (kind_ == SplitKind::Columns) {
    op->emitRemark("its rows are split among ")
        << split.workgroups << " workgroups: one for " << split.tile << " columns leaves much of the device idle; "
        << "a kernel after them adds up their partial results";
    return;
  }
  InFlightDiagnostic remark = op->emitRemark("each of its ")
                              << extents.results << " rows of " << extents.iterations << " is split among "
                              << split.workgroups << " workgroups: ";
  if (std::optional<int64_t> multiprocessors = strategy_.multiprocessors())
    remark << "one a row leaves much of " << *multiprocessors << " multiprocessors idle; ";
  remark << "a kernel after them adds up their partial results";
}

/// The partial results of a Strided split, whose iterations workgroups share once more.
WorkgroupSplit ReductionSplitter::splitAmongWorkgroups(linalg::GenericOp partial, const ReductionSplit &split) const {
  WorkgroupSplit again{.op = partial, .workgroup = {}, .split = {}};
  unsigned partials = *innermostLoop(partial.getIndexingMapMatchingResult(partial->getResult(0)));
  for (auto [loop, range] : llvm::enumerate(partial.getStaticLoopRanges())) {
    bool isReduction = partial.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
    int64_t tile = split.tile > 0 ? std::min(range, split.tile) : 0;
    again.workgroup.push_back(isReduction || range == 1 ? 0 : loop != partials ? 1 : tile);
    again.split.push_back(isReduction ? range / split.workgroups : 0);
  }
  return again;
}

void ReductionSplitter::run(Block &body) {
  SmallVector<linalg::LinalgOp> ops; // before any is rewritten: a skinny contraction counts as a reduction afterwards
  for (auto op : body.getOps<linalg::LinalgOp>())
    if (op.getNumReductionLoops() > 0 && isCandidate(op))
      ops.push_back(op);
  for (size_t number = 0; number < ops.size(); ++number) {
    FailureOr<linalg::LinalgOp> op = prepare(ops[number]);
    if (failed(op))
      continue;
    const ReductionExtents extents = extentsOf(*op, kind_);
    const ReductionSplit split = chooseSplit(extents, kind_, strategy_);
    if (split.workgroups > 1 && kind_ != SplitKind::Strided)
      remarkOnWorkgroups(*op, extents, split);
    FailureOr<SplitOps> made = applySplit(rewriter_, *op, split);
    if (failed(made) || kind_ != SplitKind::Strided)
      continue;
    if (split.workgroups > 1)
      pending_.push_back(splitAmongWorkgroups(made->partial, split));
    if (made->rest && isCandidate(made->rest))
      ops.push_back(made->rest);
  }
  if (hasFused_)
    fuseElementwiseChains(rewriter_, body);
}

} // namespace

std::vector<WorkgroupSplit> splitReductions(RewriterBase &rewriter, Block &body, const TargetStrategy &strategy) {
  OpBuilder::InsertionGuard guard(rewriter);
  std::vector<WorkgroupSplit> pending;
  for (SplitKind kind : strategy.reductionSplits()) {
    ReductionSplitter splitter(rewriter, kind, strategy);
    splitter.run(body);
    llvm::append_range(pending, splitter.takePending());
  }
  return pending;
}

} // namespace fuselage

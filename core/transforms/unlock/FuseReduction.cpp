#include "core/dialects/flow/Flow.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEREDUCTIONPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

/// Reductions over the same rows and the elementwise ops between them. `rows[op][i]` is the loop of
/// `op` that walks row dimension i, -1 if it has none.
struct RowChain {
  SmallVector<linalg::LinalgOp> ops; // producers first; each reads the one before
  llvm::DenseMap<Operation *, SmallVector<int>> rows;
  bool contains(Operation *op) const { return rows.contains(op); }
  unsigned reductions() const;
};

struct FuseReductionPass : impl::FuseReductionPassBase<FuseReductionPass> {
  void runOnOperation() override;
};

bool isRowReduction(linalg::LinalgOp op) {
  return kindOf(op) == DispatchKind::Reduction && op->getNumResults() == 1 &&
         op.getIndexingMapsArray().back().isProjectedPermutation();
}

unsigned RowChain::reductions() const {
  return llvm::count_if(ops, [](linalg::LinalgOp op) { return op.getNumReductionLoops() > 0; });
}

RowChain startChain(linalg::LinalgOp reduction) {
  RowChain chain;
  chain.ops.push_back(reduction);
  SmallVector<int> &loops = chain.rows[reduction];
  for (AffineExpr expr : reduction.getIndexingMapsArray().back().getResults())
    loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  return chain;
}

/// The loops of `op` that walk the chain's rows; empty, with a reason, if it reads the chain in a
/// way that does not keep to them.
std::optional<SmallVector<int>> findRows(linalg::LinalgOp op, const RowChain &chain, StringRef &reason) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<int> loops(chain.rows.at(chain.ops.front()).size(), -1);
  for (OpOperand &operand : op->getOpOperands()) {
    auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
    if (!producer || !chain.contains(producer))
      continue;
    AffineMap read = op.getMatchingIndexingMap(&operand);
    AffineMap written = producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get()));
    for (auto [row, loop] : llvm::enumerate(chain.rows.at(producer))) {
      if (loop < 0)
        continue;
      std::optional<unsigned> position = written.getResultPosition(getAffineDimExpr(loop, op.getContext()));
      auto dim = position ? dyn_cast<AffineDimExpr>(read.getResult(*position)) : AffineDimExpr(nullptr);
      if (!dim) {
        reason = "it reads the rows through a map that is no projected permutation; run "
                 "fuselage-fold-unit-dims first";
        return std::nullopt;
      }
      if (loops[row] >= 0 && loops[row] != int(dim.getPosition())) {
        reason = "it combines different rows";
        return std::nullopt;
      }
      if (iterators[dim.getPosition()] != utils::IteratorType::parallel) {
        reason = "it reduces over the rows";
        return std::nullopt;
      }
      loops[row] = dim.getPosition();
    }
  }
  return loops;
}

/// Calls `visit` for the ops of the block whose results `op` reads, itself or in its regions: a dispatch reads
/// what is computed before it as it is.
void forEachProducer(Operation *op, llvm::function_ref<void(Operation *)> visit) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && producer->getBlock() == op->getBlock())
        visit(producer);
  });
}

/// Whether `op` depends on the chain other than by reading it directly.
bool waitsForChain(Operation *op, const RowChain &chain) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Operation *> pending;
  auto push = [&](Operation *producer) {
    // The chain itself is read directly; what feeds it is no concern.
    if (!chain.contains(producer) && !producer->isBeforeInBlock(chain.ops.front()) && seen.insert(producer).second)
      pending.push_back(producer);
  };
  forEachProducer(op, push);
  while (!pending.empty()) {
    bool readsChain = false;
    forEachProducer(pending.pop_back_val(), [&](Operation *producer) {
      readsChain |= chain.contains(producer);
      push(producer);
    });
    if (readsChain)
      return true;
  }
  return false;
}

/// The next op: a reduction or elementwise op that reads the last one, row by row. Reductions first.
linalg::LinalgOp findNext(const RowChain &chain, const llvm::DenseSet<Operation *> &taken, SmallVector<int> &loops) {
  Operation *tail = chain.ops.back();
  llvm::SmallSetVector<Operation *, 4> users(tail->user_begin(), tail->user_end());
  SmallVector<linalg::LinalgOp> candidates;
  for (Operation *user : users) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    if (op && isOutsideDispatch(op) && op->getBlock() == tail->getBlock() && !taken.contains(op) &&
        (isElementwiseOp(op) || isRowReduction(op)) && !waitsForChain(op, chain))
      candidates.push_back(op);
  }
  llvm::sort(candidates, [](linalg::LinalgOp a, linalg::LinalgOp b) {
    bool reducesA = a.getNumReductionLoops() > 0, reducesB = b.getNumReductionLoops() > 0;
    return reducesA != reducesB ? reducesA : a->isBeforeInBlock(b);
  });
  for (linalg::LinalgOp op : candidates) {
    StringRef reason;
    if (std::optional<SmallVector<int>> found = findRows(op, chain, reason)) {
      loops = *found;
      return op;
    }
    if (isRowReduction(op))
      op->emitRemark("stays out of the dispatch of the reduction that it reads: ") << reason;
  }
  return {};
}

/// Adds, producers first, what is computed before `op` within the dispatch for free.
void collectClones(Operation *op, const llvm::SetVector<Operation *> &members, llvm::SetVector<Operation *> &clones) {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    if (!producer || members.contains(producer) || clones.contains(producer) || !isCheapProducer(producer))
      continue;
    collectClones(producer, members, clones);
    clones.insert(producer);
  }
}

/// Whether the op may be computed before the chain, in its dispatch: elementwise, and not after a contraction,
/// where it belongs.
bool isPrologue(Operation *op, const RowChain &chain) {
  return op->getBlock() == chain.ops.front()->getBlock() && isElementwiseOp(op) && !isCheapProducer(op) &&
         isOutsideDispatch(op) && llvm::none_of(op->getOperands(), [](Value value) {
           Operation *source = value.getDefiningOp();
           return source && isComputeOp(source) && isRootKind(kindOf(source));
         });
}

/// Whether the op of a chain reads each element of the producer in one iteration.
bool isWhole(linalg::LinalgOp op, Operation *producer) {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return operand.get().getDefiningOp() != producer || op.getMatchingIndexingMap(&operand).isPermutation();
  });
}

/// The chain, with the elementwise ops that only it reads; with those, too, whose results others read as well, if
/// `sharing`: what the chain reads more than once is computed once then.
llvm::SetVector<Operation *> collectMembers(const RowChain &chain, bool sharing) {
  llvm::SetVector<Operation *> members;
  for (linalg::LinalgOp op : chain.ops)
    members.insert(op);
  for (linalg::LinalgOp op : chain.ops)
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer || members.contains(producer) || !isPrologue(producer, chain))
        continue;
      // What others read as well is stored, once: by the workgroup that computes the row.
      bool isWholeRow = producer->getNumResults() == 1 && isWhole(op, producer);
      if ((sharing && isWholeRow) ||
          llvm::all_of(producer->getUsers(), [&](Operation *user) { return members.contains(user); }))
        members.insert(producer);
    }
  return members;
}

/// Whether a dispatch of the members saves more than dispatch formation does by itself, which lets elementwise ops
/// follow a reduction.
bool isWorthwhile(const RowChain &chain, const llvm::SetVector<Operation *> &members) {
  return chain.reductions() >= 2 || members.size() > chain.ops.size();
}

bool wrapMembers(RewriterBase &rewriter, const RowChain &chain, const llvm::SetVector<Operation *> &members) {
  llvm::SetVector<Operation *> clones;
  for (Operation *op : members)
    collectClones(op, members, clones);
  DispatchGroup group;
  group.root = chain.ops.front();
  group.kind = DispatchKind::Reduction;
  group.ops = llvm::to_vector(members);
  llvm::sort(group.ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  group.clonedProducers = llvm::to_vector(clones);
  return succeeded(wrapDispatch(rewriter, group));
}

void wrapChain(RewriterBase &rewriter, const RowChain &chain) {
  for (bool sharing : {true, false}) {
    llvm::SetVector<Operation *> members = collectMembers(chain, sharing);
    if (isWorthwhile(chain, members) && wrapMembers(rewriter, chain, members))
      return;
  }
  if (chain.reductions() >= 2)
    chain.ops.front()->emitRemark("is not fused with the reductions after it: another op between them "
                                  "waits for one and feeds the other");
}

void FuseReductionPass::runOnOperation() {
  llvm::DenseSet<Operation *> taken;
  std::vector<RowChain> chains;
  for (linalg::LinalgOp op : linalgOpsOutsideDispatches(getOperation())) {
    // What reduces everything to one element has one row, which only one workgroup could compute.
    if (taken.contains(op) || !isRowReduction(op) || cast<RankedTensorType>(op->getResult(0).getType()).getRank() == 0)
      continue;
    RowChain chain = startChain(op);
    SmallVector<int> loops;
    while (linalg::LinalgOp next = findNext(chain, taken, loops)) {
      chain.ops.push_back(next);
      chain.rows[next] = loops;
    }
    if (chain.reductions() < 2 && !isWorthwhile(chain, collectMembers(chain, /*sharing=*/true)))
      continue;
    for (linalg::LinalgOp member : chain.ops)
      taken.insert(member);
    chains.push_back(std::move(chain));
  }
  IRRewriter rewriter(&getContext());
  for (const RowChain &chain : chains)
    wrapChain(rewriter, chain);
}

} // namespace
} // namespace fuselage

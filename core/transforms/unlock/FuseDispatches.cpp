#include "core/dialects/flow/Flow.h"
#include "core/ir/ops/CollectOps.h"
#include "core/transforms/dispatch/DispatchClauses.h"
#include "core/transforms/unlock/LinalgUtils.h"
#include "core/transforms/unlock/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_FUSEDISPATCHESPASS
#include "core/transforms/unlock/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct FuseDispatchesPass : impl::FuseDispatchesPassBase<FuseDispatchesPass> {
  void runOnOperation() override;
};

/// The uses in `to` of what `from` hands on.
SmallVector<OpOperand *> readsBetween(flow::DispatchRegionOp from, flow::DispatchRegionOp to) {
  SmallVector<OpOperand *> reads;
  for (OpOperand &use : from->getUses())
    if (to->isProperAncestor(use.getOwner()))
      reads.push_back(&use);
  return reads;
}

/// Whether the reader takes tiles of the value: an elementwise op whose tiles line up, or a
/// reduction that reads each element of what was computed element by element once.
std::string whyNotRead(flow::DispatchRegionOp from, OpOperand &use) {
  auto value = dyn_cast<OpResult>(from.getReturn()->getOperand(cast<OpResult>(use.get()).getResultNumber()));
  auto consumer = dyn_cast<linalg::LinalgOp>(use.getOwner());
  if (!value || !from->isProperAncestor(value.getOwner()) || !consumer)
    return "what reads the other's result is no structured op";
  Operation *producer = value.getOwner();
  AffineMap read = consumer.getMatchingIndexingMap(&use);
  if (kindOf(consumer) == DispatchKind::Reduction && isElementwiseOp(producer) && read.isPermutation())
    return {};
  FusionEdge edge{.value = value, .use = &use, .consumer = consumer};
  for (const Refusal &refusal : pairRefusals(edge, {}))
    return infoOf(refusal.reason).code.str() + ": " + describeEvidence(refusal);
  return {};
}

/// An op between the two that waits for the first and feeds the second, or that has effects; null:
/// there is none.
Operation *findBetween(Operation *from, Operation *to) {
  llvm::SmallPtrSet<Operation *, 8> waiting{from};
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode()) {
    bool waits = op->walk([&](Operation *inner) {
                     return llvm::any_of(inner->getOperands(),
                                         [&](Value operand) { return waiting.contains(operand.getDefiningOp()); })
                                ? WalkResult::interrupt()
                                : WalkResult::advance();
                   }).wasInterrupted();
    if (waits && !isMemoryEffectFree(op))
      return op;
    if (waits)
      waiting.insert(op);
  }
  Operation *between = nullptr;
  to->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer != from && waiting.contains(producer))
        between = producer;
  });
  return between;
}

/// Puts the ops of a dispatch in its place. Returns them.
SmallVector<Operation *> dissolve(RewriterBase &rewriter, flow::DispatchRegionOp dispatch) {
  SmallVector<Operation *> ops;
  for (Operation &op : dispatch.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    rewriter.moveOpBefore(op, dispatch);
  rewriter.replaceOp(dispatch, dispatch.getReturn()->getOperands());
  return ops;
}

void merge(RewriterBase &rewriter, flow::DispatchRegionOp from, flow::DispatchRegionOp to) {
  Operation *root = findDispatchRoot(from), *second = findDispatchRoot(to);
  DispatchGroup group{
      .root = root && second && kindOf(second) < kindOf(root) ? second : root, .ops = {}, .clonedProducers = {}};
  group.ops = dissolve(rewriter, from);
  llvm::append_range(group.ops, dissolve(rewriter, to));
  group.kind = kindOf(group.root);
  (void)wrapDispatch(rewriter, group);
}

void FuseDispatchesPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  auto isPlain = [](Operation *op) {
    auto region = dyn_cast<flow::DispatchRegionOp>(op);
    return region && region.getWorkload().empty() && region.getWorkgroupCount().empty() &&
           region.getBody().hasOneBlock() && findDispatchRoot(region);
  };
  // From the last one on: a dispatch takes in the one that it reads, and what that reads in its
  // turn.
  SmallVector<Operation *> dispatches = collectOps(getOperation(), isPlain);
  llvm::DenseSet<Operation *> gone;
  for (size_t index = dispatches.size(); index-- > 1;) {
    auto to = cast<flow::DispatchRegionOp>(dispatches[index]);
    for (size_t earlier = index; earlier-- > 0;) {
      auto from = cast<flow::DispatchRegionOp>(dispatches[earlier]);
      if (gone.contains(from) || from->getBlock() != to->getBlock())
        continue;
      SmallVector<OpOperand *> reads = readsBetween(from, to);
      if (reads.empty())
        continue;
      std::string reason;
      for (OpOperand *use : reads)
        reason = reason.empty() ? whyNotRead(from, *use) : reason;
      if (Operation *between = findBetween(from, to); between && reason.empty())
        reason = between->getName().getStringRef().str() + " stands between the two";
      if (!reason.empty()) {
        to->emitRemark("stays a dispatch of its own: ") << reason;
        continue;
      }
      merge(rewriter, from, to);
      gone.insert(from);
      gone.insert(to);
      break;
    }
  }
}

} // namespace
} // namespace fuselage

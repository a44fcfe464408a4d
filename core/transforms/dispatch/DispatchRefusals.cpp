// Why a consumer is not in its producer's dispatch: the planner's clauses, asked again of the finished
// plan, with what it noted down where the answer depends on the moment.
#include "core/transforms/dispatch/DispatchPlanner.h"

using namespace mlir;

namespace fuselage {

using enum FusionReason;

/// What reads the value in the dispatch that would have to change: the edge's use, or, where the
/// consumer is computed again by its readers, what the first of them outside of the producer's
/// dispatch reads. Null if nothing does.
OpOperand *DispatchPlanner::effectiveUse(const FusionEdge &edge) const {
  if (!isCloned(edge.consumer) || groupOf_.contains(edge.consumer))
    return edge.use;
  int own = groupOf(edge.producer());
  OpOperand *first = nullptr;
  SmallVector<Operation *> pending{edge.consumer};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty())
    for (OpOperand &use : pending.pop_back_val()->getUses()) {
      Operation *user = use.getOwner();
      if (!order_.contains(user) || !seen.insert(user).second)
        continue;
      int group = groupOf(user);
      if (group < 0 && isCloned(user))
        pending.push_back(user);
      else if (group >= 0 && group != own && (!first || order_.at(user) < order_.at(first->getOwner())))
        first = &use;
    }
  return first;
}

/// Looked up once for each op: a value may have many users.
Operation *DispatchPlanner::dominatingUser(Operation *op) const {
  auto lock = lockTables();
  auto [entry, isNew] = dominatingUsers_.try_emplace(op);
  if (isNew)
    entry->second = findDominatingUser(op);
  return entry->second;
}

/// Whether the group could take `consumer`, which is elementwise.
void DispatchPlanner::appendJoinRefusals(const FusionEdge &edge, unsigned number, Refusals &refusals) const {
  const GrowingGroup &growing = groups_[number];
  Refusal noLoops{.reason = NotGeneric};
  if (!rootLoops(growing.group.root, &noLoops)) {
    refusals.push_back(noLoops);
    return;
  }
  Operation *tail = growing.group.ops.back();
  SmallVector<int> loops;
  Operation *consumer = edge.consumer;
  llvm::append_range(refusals, alignConsumer(consumer, growing, loops));
  if (isa<linalg::PackOp>(tail))
    refusals.push_back({.reason = InOtherDispatch, .evidence = {.culprit = tail}});
  if (capturesGroup(consumer, growing))
    refusals.push_back({.reason = CapturedInBody, .evidence = {.culprit = consumer}});
  if (edge.producer() != tail && refusals.empty()) {
    // The dispatch went on with another user of the value, and ends in an op that this one may not read.
    SmallVector<GroupRead> reads;
    if (auto structured = dyn_cast<linalg::LinalgOp>(consumer))
      for (OpOperand &operand : consumer->getOpOperands())
        readsThrough(operand.get(), structured.getMatchingIndexingMap(&operand), growing, reads);
    if (llvm::none_of(reads, [&](const GroupRead &read) { return read.value.getOwner() == tail; })) {
      Refusal refusal{.reason = MultiUse};
      hasOtherUses(edge, &refusal.evidence.users);
      refusals.push_back(refusal);
    }
  }
  if (std::optional<Refusal> refusal = exceedsBindings(consumer, growing))
    refusals.push_back(*refusal);
  if (auto found = badOrder_.find({number, consumer}); found != badOrder_.end())
    refusals.push_back(found->second);
  if (refusals.empty() && neverAsked_.contains({number, consumer}))
    refusals.push_back({.reason = SearchLimit, .evidence = {.limit = policy_.maxCandidates}});
}

void DispatchPlanner::appendDispatchRefusals(const FusionEdge &edge, Refusals &refusals) const {
  OpOperand *use = effectiveUse(edge);
  if (!use) {
    refusals.push_back({.reason = DeadConsumer, .evidence = {.culprit = edge.consumer}});
    return;
  }
  Operation *consumer = use == edge.use ? edge.consumer : use->getOwner();
  FusionEdge effective = edge;
  effective.consumer = consumer;
  Refusals users = useRefusals(edge, policy_, [&](Operation *op) { return dominatingUser(op); });
  // Readers in several branches are nearer than the branch of one.
  llvm::copy_if(users, std::back_inserter(refusals),
                [](const Refusal &refusal) { return refusal.reason == NoDominatingUse; });
  if (edge.producer()->getBlock() != consumer->getBlock())
    refusals.push_back({.reason = OtherBlock, .evidence = {.culprit = consumer->getParentOp()}});
  if (edge.isCaptured())
    refusals.push_back({.reason = CapturedInBody, .evidence = {.culprit = edge.use->getOwner()}});
  if (isTakenIn(edge.consumer)) // with the value as it is: that op alone computes it
    refusals.push_back({.reason = InOtherDispatch, .evidence = {.culprit = group(takenIn_.at(edge.consumer)).root}});
  Refusals kind = consumerKindRefusals(consumer, use, policy_);
  if (!kind.empty())
    llvm::append_range(refusals, copyRefusals(edge, policy_));
  llvm::append_range(refusals, kind);
  int number = groupOf(edge.producer());
  bool isOff = !policy_.fuseElementwiseConsumers || number < 0;
  if (isOff)
    refusals.push_back({.reason = FusionDisabled});
  else if (kind.empty() && edge.producer()->getBlock() == consumer->getBlock())
    appendJoinRefusals(effective, number, refusals);
  // Last: what the two ops are forbids more than who else reads the value.
  for (const Refusal &refusal : users)
    if (llvm::none_of(refusals, [&](const Refusal &known) { return known.reason == refusal.reason; }))
      refusals.push_back(refusal);
  if (refusals.empty()) {
    Operation *root = groupOf(consumer) < 0 ? consumer : group(groupOf(consumer)).root;
    refusals.push_back({.reason = InOtherDispatch, .evidence = {.culprit = root}});
  }
}

/// Adds those whose reason is not listed yet.
static void appendNew(Refusals &refusals, const Refusals &more) {
  for (const Refusal &refusal : more)
    if (llvm::none_of(refusals, [&](const Refusal &known) { return known.reason == refusal.reason; }))
      refusals.push_back(refusal);
}

Refusals DispatchPlanner::refusalsOf(const FusionEdge &edge) const {
  if (std::optional<Refusal> refusal = nonFusableOp(edge))
    return {*refusal};
  Refusals elementwise, dispatch, refusals;
  if (!edge.isCaptured()) {
    elementwise = elementwiseRefusals(edge);
    if (policy_.fuseElementwise)
      llvm::append_range(elementwise, elementwisePolicyRefusals(edge, policy_));
    if (auto found = overLimit_.find(edge.use); found != overLimit_.end())
      elementwise.push_back(
          {.reason = OperandLimit, .evidence = {.count = found->second, .limit = policy_.maxOperands}});
  }
  appendDispatchRefusals(edge, dispatch);
  // What a policy fuses elementwise is that fusion's to refuse; all else is dispatch formation's. Of two
  // reductions neither can follow the other in a dispatch: that is elementwise fusion's question, too.
  DispatchKind kind = factsOf(edge.consumer).kind;
  bool isGeneric = isa<linalg::GenericOp>(edge.consumer);
  bool isElementwise = policy_.fuseElementwise && isa<linalg::LinalgOp>(edge.consumer) &&
                       (isAllParallelLinalg(edge.producer()) || (isGeneric && !isAllParallelLinalg(edge.consumer))) &&
                       kind != DispatchKind::Convolution && (kind != DispatchKind::Contraction || isGeneric);
  appendNew(refusals, isElementwise ? elementwise : dispatch);
  appendNew(refusals, isElementwise ? dispatch : elementwise);
  return refusals;
}

} // namespace fuselage

#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/analysis/costs/Costs.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/decoders/InductorOps.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/ir/module/SharedContext.h"
#include "core/ir/ops/CollectOps.h"
#include "core/transforms/dispatch/DispatchPlanner.h"
#include <atomic>

using namespace mlir;

namespace fuselage {

llvm::StringRef verdictName(Verdict verdict) { return message::fusionVerdictNames[static_cast<size_t>(verdict)]; }

SmallVector<StringRef> EdgeVerdict::unlocks() const {
  SmallVector<StringRef> names;
  for (const Refusal &refusal : refusals)
    for (FusionReason reason : {refusal.reason, refusal.kind.value_or(refusal.reason)})
      for (StringRef name : unlocksOf(reason))
        if (!llvm::is_contained(names, name))
          names.push_back(name);
  return names;
}

/// Of an edge in a dispatch: whether the two ops become one. Elementwise fusion inside of it goes by MLIR's clauses and
/// one use.
static Verdict verdictInside(const FusionEdge &edge, JudgedFor purpose) {
  bool merges =
      purpose == JudgedFor::Reasons && !edge.isCaptured() && !hasOtherUses(edge) && elementwiseRefusals(edge).empty();
  return merges ? Verdict::FusedIntoOp : Verdict::SameDispatch;
}

//===-- Bodies without dispatches -------------------------------------------------------===//

namespace {

/// Judges by a plan.
class PlannedBody {
public:
  PlannedBody(Region &body, const FusionPolicy &policy, JudgedFor purpose)
      : body_(body), purpose_(purpose), planner_(body, policy) {}
  BodyVerdicts judge();

private:
  EdgeVerdict judge(OpOperand &use, Operation *op, unsigned number) const;
  void giveReasons(std::vector<EdgeVerdict> &edges);
  Verdict verdictOf(const FusionEdge &edge) const;
  SmallVector<int, 2> placesOf(Operation *op) const;
  int firstPlaceOf(Operation *op) const;

  Region &body_;
  JudgedFor purpose_;
  DispatchPlanner planner_;
  llvm::DenseMap<Operation *, SmallVector<int, 1>> clonedIn_;
};

} // namespace

/// The dispatches that compute `op`, as a member or again.
SmallVector<int, 2> PlannedBody::placesOf(Operation *op) const {
  SmallVector<int, 2> places;
  if (int own = planner_.groupOf(op); own >= 0)
    places.push_back(own);
  if (auto found = clonedIn_.find(op); found != clonedIn_.end())
    llvm::append_range(places, found->second);
  return places;
}

int PlannedBody::firstPlaceOf(Operation *op) const {
  if (int own = planner_.groupOf(op); own >= 0)
    return own;
  auto found = clonedIn_.find(op);
  return found == clonedIn_.end() ? -1 : found->second.front();
}

Verdict PlannedBody::verdictOf(const FusionEdge &edge) const {
  Operation *producer = edge.producer();
  bool isRecomputed = planner_.isRecomputed(*edge.use);
  if (isRecomputed && placesOf(edge.consumer).empty())
    return isCheapProducer(producer) && isComputeOp(edge.consumer) ? Verdict::Cloned : Verdict::Separate;
  if (planner_.isTakenIn(producer)) // computed once, in the dispatch of its reader
    return verdictInside(edge, purpose_);
  if (isRecomputed)
    return planner_.isFusedElementwise(*edge.use) ? Verdict::FusedIntoOp : Verdict::Cloned;
  int own = planner_.groupOf(producer);
  SmallVector<int, 2> places = placesOf(edge.consumer);
  if (own < 0 || places.empty() || llvm::any_of(places, [&](int place) { return place != own; }))
    return Verdict::Separate;
  return verdictInside(edge, purpose_);
}

EdgeVerdict PlannedBody::judge(OpOperand &use, Operation *op, unsigned number) const {
  auto value = cast<OpResult>(use.get());
  EdgeVerdict verdict{.edge = {.value = value, .use = &use, .consumer = op},
                      .from = value.getOwner(),
                      .to = op,
                      .operand = number,
                      .passed = value};
  verdict.verdict = verdictOf(verdict.edge);
  return verdict;
}

/// Of many edges, two threads take some at a time: reasons are most of what judging takes.
void PlannedBody::giveReasons(std::vector<EdgeVerdict> &edges) {
  constexpr size_t many = 2000, taken = 64;
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t begin = next.fetch_add(taken); begin < edges.size(); begin = next.fetch_add(taken))
      for (EdgeVerdict &edge : llvm::MutableArrayRef(edges).slice(begin, std::min(taken, edges.size() - begin)))
        if (edge.verdict == Verdict::Separate)
          edge.refusals = planner_.refusalsOf(edge.edge);
  };
  if (edges.size() < many || !hasTwoProcessors())
    return work();
  if (!body_.getContext()->isMultithreadingEnabled()) // else whoever shares it has numbered them
    numberOps(body_.getParentOp());
  planner_.share();
  runBoth(*body_.getContext(), work, work);
}

BodyVerdicts PlannedBody::judge() {
  BodyVerdicts verdicts;
  verdicts.function = body_.getParentOp();
  verdicts.body = &body_;
  planner_.plan();
  std::vector<DispatchGroup> groups = planner_.planWithMoves();
  for (unsigned number = 0; number < planner_.groupCount(); ++number)
    for (Operation *clone : planner_.group(number).clonedProducers)
      clonedIn_[clone].push_back(number);
  for (const DispatchGroup &group : groups) {
    SmallVector<Operation *> all(group.clonedProducers);
    all.append(group.ops);
    OpCost cost = costOfGroup(group.ops, group.clonedProducers);
    verdicts.dispatches.push_back({.name = dispatchName(group.root),
                                   .kind = group.kind,
                                   .root = group.root,
                                   .ops = std::move(all),
                                   .bytes = cost.bytes(),
                                   .bytesAtMost = cost.bytesAtMost});
  }
  size_t most = 0; // uses: verdicts are large, and copied where the list grows
  body_.walk([&](Operation *op) { most += op->getNumOperands(); });
  verdicts.edges.reserve(most);
  forEachDataUse(
      body_, [&](OpOperand &use, Operation *op, unsigned number) { verdicts.edges.push_back(judge(use, op, number)); });
  if (purpose_ == JudgedFor::Reasons)
    giveReasons(verdicts.edges);
  addSavedBytes(verdicts.edges, [&](Operation *op) { return firstPlaceOf(op); });
  verdicts.plan = std::move(groups);
  return verdicts;
}

//===-- Bodies with dispatches ------------------------------------------------------------===//

namespace {

/// Judges by the dispatches that there are.
class FormedBody {
public:
  FormedBody(Region &body, const FusionPolicy &policy, JudgedFor purpose, DispatchFinder &finder)
      : body_(body), policy_(policy), purpose_(purpose), finder_(finder) {}
  BodyVerdicts judge(bool isOneDispatch);

private:
  void addDispatch(Operation *op, Operation *runs, BodyVerdicts &verdicts);
  FusionEdge throughBorder(const FusionEdge &edge) const;
  int placeOf(Operation *op) const;
  Refusals refusalsOf(const FusionEdge &edge, int from, int to) const;

  Region &body_;
  const FusionPolicy &policy_;
  JudgedFor purpose_;
  DispatchFinder &finder_;
  llvm::DenseMap<Operation *, int> dispatches_; // by region, call, or the function that is one
};

} // namespace

/// The dispatch around `op`, or that it is; -1 outside.
int FormedBody::placeOf(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (auto found = dispatches_.find(op); found != dispatches_.end())
      return found->second;
  return -1;
}

/// The one block that a dispatch runs; null for calls of binaries.
static Block *bodyOf(Operation *runs) {
  Region *body = isFunction(runs) ? (runs->getNumRegions() > 0 ? &runs->getRegion(0) : nullptr) : decode(runs).body;
  return body && body->hasOneBlock() && !body->front().empty() ? &body->front() : nullptr;
}

/// Follows a dispatch's result to the op inside that computes it, and an outlined dispatch's operand to
/// the first op inside that computes with it.
FusionEdge FormedBody::throughBorder(const FusionEdge &edge) const {
  FusionEdge inner = edge;
  while (dispatches_.contains(inner.producer())) {
    Block *body = bodyOf(finder_.find(inner.producer()));
    unsigned number = inner.value.getResultNumber();
    if (!body || number >= body->back().getNumOperands())
      break;
    auto value = dyn_cast<OpResult>(body->back().getOperand(number));
    if (!value || !body->findAncestorOpInBlock(*value.getOwner()))
      break;
    inner.value = value;
  }
  Operation *runs = dispatches_.contains(edge.consumer) ? finder_.find(edge.consumer) : nullptr;
  Block *body = runs && isFunction(runs) ? bodyOf(runs) : nullptr;
  if (!body || edge.use->getOperandNumber() >= body->getNumArguments())
    return inner;
  for (OpOperand &use : body->getArgument(edge.use->getOperandNumber()).getUses())
    if (isComputeOp(use.getOwner())) {
      inner.use = &use;
      inner.consumer = use.getOwner();
    }
  return inner;
}

/// Each was given its dispatch by somebody else: how the value goes from one to the other.
static Refusal inOtherDispatch(const FusionEdge &edge) {
  Refusal refusal{.reason = FusionReason::InOtherDispatch, .evidence = {.culprit = edge.consumer}};
  auto producer = dyn_cast<linalg::LinalgOp>(edge.producer());
  auto consumer = edge.isCaptured() ? linalg::LinalgOp() : dyn_cast<linalg::LinalgOp>(edge.consumer);
  if (producer)
    refusal.evidence.producerMap = producer.getIndexingMapMatchingResult(edge.value);
  if (consumer)
    refusal.evidence.consumerMap = consumer.getMatchingIndexingMap(edge.use);
  return refusal;
}

/// The ops were given their places when the dispatches were formed. Where they are still what they were
/// then, the clauses say why; tiles, slices and loops that later steps made of them do not.
Refusals FormedBody::refusalsOf(const FusionEdge &edge, int from, int to) const {
  if (isXlaOp(edge.producer()) || isXlaOp(edge.consumer))
    return {{.reason = FusionReason::InOtherDispatch, .evidence = {.culprit = edge.consumer}}};
  if (isComputeOp(edge.producer()) && isComputeOp(edge.consumer)) {
    Refusals refusals = pairRefusals(edge, policy_);
    if (from >= 0 && to >= 0)
      refusals.push_back(inOtherDispatch(edge));
    else if (refusals.empty())
      refusals.push_back({.reason = FusionReason::FusionDisabled});
    return refusals;
  }
  bool isDecided = isInductorOp(edge.consumer); // by who made the dispatches
  if (isDecided || (from >= 0 && to >= 0))
    return {{.reason = FusionReason::InOtherDispatch, .evidence = {.culprit = edge.consumer}}};
  // One of them stands outside of any dispatch: that is the one to ask about.
  FusionEdge outside = edge;
  if (from < 0 && to >= 0)
    outside.consumer = edge.producer();
  if (from >= 0 && isComputeOp(edge.consumer))
    return {{.reason = FusionReason::FusionDisabled}};
  if (std::optional<Refusal> refusal = nonFusableOp(outside))
    return {*refusal};
  return {{.reason = FusionReason::FusionDisabled}};
}

void FormedBody::addDispatch(Operation *op, Operation *runs, BodyVerdicts &verdicts) {
  OpCost cost = costOfDispatch(runs);
  Operation *root = findDispatchRoot(runs);
  dispatches_[op] = verdicts.dispatches.size();
  verdicts.dispatches.push_back(
      {.name = nameOfDispatch(runs),
       .kind = classifyDispatch(runs),
       .root = root,
       .ops = collectOps(op, [](Operation *inner) { return !inner->hasTrait<OpTrait::IsTerminator>(); }),
       .bytes = cost.bytes(),
       .bytesAtMost = cost.bytesAtMost});
}

BodyVerdicts FormedBody::judge(bool isOneDispatch) {
  BodyVerdicts verdicts;
  verdicts.function = body_.getParentOp();
  verdicts.body = &body_;
  if (isOneDispatch)
    addDispatch(verdicts.function, verdicts.function, verdicts);
  else
    body_.walk<WalkOrder::PreOrder>([&](Operation *op) {
      Operation *runs = finder_.find(op);
      if (runs)
        addDispatch(op, runs, verdicts);
      return runs ? WalkResult::skip() : WalkResult::advance();
    });
  forEachDataUse(body_, [&](OpOperand &use, Operation *op, unsigned number) {
    auto value = cast<OpResult>(use.get());
    // Once the dispatches' tensors are buffers, uses tell who knows an address, not who reads what whom
    // wrote: what is fused was decided before.
    if (isa<BaseMemRefType>(value.getType()))
      return;
    EdgeVerdict verdict{.edge = {.value = value, .use = &use, .consumer = op},
                        .from = value.getOwner(),
                        .to = op,
                        .operand = number,
                        .passed = value};
    int from = placeOf(value.getOwner()), to = placeOf(op);
    if (from >= 0 && from == to) {
      verdict.verdict = isCheapProducer(value.getOwner()) ? Verdict::Cloned : verdictInside(verdict.edge, purpose_);
    } else {
      verdict.edge = throughBorder(verdict.edge);
      if (purpose_ == JudgedFor::Reasons)
        verdict.refusals = refusalsOf(verdict.edge, from, to);
    }
    verdicts.edges.push_back(std::move(verdict));
  });
  addSavedBytes(verdicts.edges, [&](Operation *op) { return placeOf(op); });
  return verdicts;
}

std::vector<BodyVerdicts> judgeFusion(ModuleOp module, const FusionPolicy &policy, JudgedFor purpose) {
  std::vector<BodyVerdicts> all;
  DispatchFinder finder;
  llvm::SmallDenseSet<Operation *> called;
  module.walk([&](Operation *op) { called.insert(finder.findCalled(op)); });
  for (Region *body : findFusionBodies(module)) {
    bool isOneDispatch = !canHoldDispatches(*body);
    bool isFormed = isOneDispatch || body->walk([&](Operation *op) {
                                           return finder.find(op) ? WalkResult::interrupt() : WalkResult::advance();
                                         })
                                         .wasInterrupted();
    all.push_back(isFormed ? FormedBody(*body, policy, purpose, finder).judge(isOneDispatch)
                           : PlannedBody(*body, policy, purpose).judge());
    // What runs where it is called is a dispatch of the caller, once for each call.
    if (isOneDispatch && called.contains(body->getParentOp()))
      all.back().dispatches.clear();
  }
  return all;
}

} // namespace fuselage

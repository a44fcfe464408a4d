#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "core/analysis/fusion/FusionVerdicts.h"
#include "core/analysis/loops/LoopFusion.h"
#include "core/dialects/flow/Flow.h"
#include "core/ir/module/SharedContext.h"
#include "core/ir/ops/ValueNames.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "core/transforms/dispatch/DispatchPlan.h"
#include "core/transforms/dispatch/DispatchPlanner.h"
#include "mlir/IR/AsmState.h"

using namespace mlir;

namespace fuselage {

constexpr llvm::StringLiteral markPrefix = "fuselage.op.";

/// Writes every op's number into its location. Regions keep their names there, which are those of their dispatches.
static void mark(ModuleOp copy) {
  OpId next = 0;
  copy->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto number = StringAttr::get(op->getContext(), llvm::Twine(markPrefix) + llvm::Twine(next++));
    std::string name = isa<flow::DispatchRegionOp>(op) ? nameOfDispatch(op) : "";
    op->setLoc(NameLoc::get(number, op->getLoc()));
    if (!name.empty())
      op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc()));
  });
}

/// The number that an op had when it was marked; -1: it was made since.
static OpId markOf(Operation *op) {
  OpId id = -1;
  op->getLoc()->walk([&](Location part) {
    auto name = dyn_cast<NameLoc>(part);
    llvm::StringRef text = name ? name.getName().getValue() : llvm::StringRef();
    if (!text.consume_front(markPrefix))
      return WalkResult::advance();
    text.getAsInteger(10, id);
    return WalkResult::interrupt();
  });
  return id;
}

/// A region that was put around ops since: it took the location of one of them.
static bool isNewRegion(Operation *op) {
  if (!isa<flow::DispatchRegionOp>(op))
    return false;
  OpId id = markOf(op);
  return op->getRegion(0)
      .walk([&](Operation *inner) { return markOf(inner) == id ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

namespace {

/// Numbers of a copy's ops -> numbers in the original.
class Numbers {
public:
  explicit Numbers(ModuleOp copy) {
    copy->walk<WalkOrder::PreOrder>([&](Operation *op) { originals_.push_back(isNewRegion(op) ? -1 : markOf(op)); });
  }
  OpId of(OpId id) const { return id < 0 || id >= static_cast<OpId>(originals_.size()) ? -1 : originals_[id]; }
  void translate(std::vector<OpId> &ids) const {
    for (OpId &id : ids)
      id = of(id);
    llvm::erase_if(ids, [](OpId id) { return id < 0; });
  }

private:
  std::vector<OpId> originals_;
};

} // namespace

static void translate(FusionReport &report, const Numbers &numbers) {
  for (FusionDispatchReport &dispatch : report.dispatches) {
    dispatch.root = numbers.of(dispatch.root);
    numbers.translate(dispatch.ops);
  }
  for (FusionEdgeReport &edge : report.edges) {
    edge.from = numbers.of(edge.from);
    edge.to = numbers.of(edge.to);
    for (FusionReasonReport &reason : edge.reasons) {
      reason.evidence.culprit = numbers.of(reason.evidence.culprit);
      numbers.translate(reason.evidence.users);
    }
  }
  // What only exists in the copy, such as a value on its way through a border.
  llvm::erase_if(report.edges, [](const FusionEdgeReport &edge) { return edge.from < 0 || edge.to < 0; });
  summarize(report);
}

/// The ops of a module by number.
static std::vector<Operation *> opsOf(ModuleOp module) {
  std::vector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  return ops;
}

namespace {

/// Calls the ends of edges what the text calls their results.
class EndNames {
public:
  explicit EndNames(ModuleOp module) : names_(module, withValueNames()), ops_(opsOf(module)), known_(ops_.size()) {}
  void give(FusionReport &report) {
    for (FusionEdgeReport &edge : report.edges) {
      edge.fromName = of(edge.from);
      edge.toName = of(edge.to);
    }
  }

private:
  const std::string &of(OpId id) {
    static const std::string none;
    if (id < 0 || ops_[id]->getNumResults() == 0)
      return none;
    std::string &name = known_[id];
    if (name.empty()) {
      llvm::raw_string_ostream os(name);
      ops_[id]->getResult(0).printAsOperand(os, names_);
      name = llvm::json::fixUTF8(llvm::StringRef(name).split('#').first);
    }
    return name;
  }

  AsmState names_;
  std::vector<Operation *> ops_;
  std::vector<std::string> known_; ///< by op; empty: not asked for yet
};

} // namespace

/// Judges the edges; of a large module, another thread numbers its values and does `meanwhile` at the same time.
static std::vector<BodyVerdicts> judge(ModuleOp module, const FusionPolicy &policy, std::optional<EndNames> &names,
                                       const std::function<void()> &meanwhile) {
  std::vector<BodyVerdicts> bodies;
  auto judgeAll = [&] { bodies = judgeFusion(module, policy); };
  if (!isWorthTwoThreads(module)) {
    judgeAll();
    return bodies;
  }
  numberOps(module); // both threads may plan
  runBoth(*module.getContext(), judgeAll, [&] {
    names.emplace(module);
    if (meanwhile)
      meanwhile();
  });
  return bodies;
}

namespace {

/// The ops of a module and of its copy, by number.
struct TwoSides {
  TwoSides(ModuleOp module, ModuleOp copy) : originals(opsOf(module)), copies(originals.size()) {
    copy->walk([&](Operation *op) {
      if (OpId id = isNewRegion(op) ? -1 : markOf(op); id >= 0)
        copies[id] = op;
    });
    for (auto [id, op] : llvm::enumerate(originals))
      ids[op] = OpId(id);
  }
  Operation *originalOf(Operation *op) const {
    OpId id = isNewRegion(op) ? -1 : markOf(op);
    return id < 0 ? nullptr : originals[id];
  }
  Operation *copyOf(Operation *op) const { return op ? copies[ids.lookup(op)] : nullptr; }

  std::vector<Operation *> originals, copies;
  llvm::DenseMap<Operation *, OpId> ids{};
};

/// Why ops are in different dispatches that were formed around them just now: what the plan says. Of dispatches that
/// somebody else formed, that is not known.
class PlannedReasons {
public:
  PlannedReasons(Region &original, const FusionPolicy &policy, const TwoSides &sides)
      : planner_(original, policy), sides_(sides) {
    planner_.plan();
    planner_.planWithMoves();
    forEachDataUse(original, [&](OpOperand &use, Operation *op, unsigned number) {
      if (!isInDispatch(op) && !isInDispatch(use.get().getDefiningOp()))
        uses_[{op, number}] = &use;
    });
  }

  void give(EdgeVerdict &edge) const {
    Operation *to = edge.verdict == Verdict::Separate ? sides_.originalOf(edge.to) : nullptr;
    OpOperand *use = to ? uses_.lookup({to, edge.operand}) : nullptr;
    if (!use)
      return;
    edge.refusals = planner_.refusalsOf({.value = cast<OpResult>(use->get()), .use = use, .consumer = to});
    for (Refusal &refusal : edge.refusals) {
      refusal.evidence.culprit = sides_.copyOf(refusal.evidence.culprit);
      for (Operation *&user : refusal.evidence.users)
        user = sides_.copyOf(user);
      llvm::erase(refusal.evidence.users, nullptr);
    }
  }

private:
  bool isInDispatch(Operation *op) {
    for (; op && !isFunction(op); op = op->getParentOp())
      if (finder_.find(op))
        return true;
    return false;
  }

  DispatchPlanner planner_;
  const TwoSides &sides_;
  DispatchFinder finder_;
  llvm::DenseMap<std::pair<Operation *, unsigned>, OpOperand *> uses_;
};

} // namespace

static llvm::Error prove(std::vector<BodyVerdicts> &bodies, const FusionPolicy &policy,
                         const UnlockProofOptions &proofs) {
  if (!proofs.isCancelled())
    proveUnlocks(bodies, policy, proofs);
  return proofs.isCancelled() ? fail("judging the edges was cancelled") : llvm::Error::success();
}

static llvm::Expected<FusionReport> explainEdges(ModuleOp module, const FusionPolicy &policy, double gbps,
                                                 UnlockProofOptions proofs, DispatchPlans *plans,
                                                 const std::function<void()> &meanwhile) {
  if (llvm::none_of(findFusionBodies(module), [](Region *body) { return isPartlyFormed(body->getParentOp()); })) {
    std::optional<EndNames> names;
    std::vector<BodyVerdicts> bodies = judge(module, policy, names, meanwhile);
    tryToShareLoops(bodies);
    if (llvm::Error error = prove(bodies, policy, proofs))
      return error;
    FusionReport report = reportFusion(module, bodies, policy, gbps);
    if (!names)
      names.emplace(module);
    names->give(report);
    if (plans && policy.name == FusionPolicy().name)
      for (BodyVerdicts &body : bodies)
        if (body.plan)
          plans->try_emplace(body.body, std::move(*body.plan));
    return report;
  }
  OwningOpRef<ModuleOp> copy(module.clone());
  mark(*copy);
  if (llvm::Error error = completeDispatches(*copy, policy))
    return error;
  std::vector<BodyVerdicts> bodies = judgeFusion(*copy, policy);
  Numbers numbers(*copy);
  for (BodyVerdicts &body : bodies)
    for (EdgeVerdict &edge : body.edges)
      // The graph of the original has no region here: the value comes straight from the op inside.
      if (isNewRegion(edge.from))
        edge.from = edge.edge.producer();
  TwoSides sides(module, *copy);
  for (auto [body, original] : llvm::zip_equal(bodies, findFusionBodies(module)))
    if (isPartlyFormed(original->getParentOp())) {
      PlannedReasons reasons(*original, policy, sides);
      for (EdgeVerdict &edge : body.edges)
        reasons.give(edge);
    }
  proofs.originalOf = [&](Operation *op) { return sides.originalOf(op); };
  tryToShareLoops(bodies);
  if (llvm::Error error = prove(bodies, policy, proofs))
    return error;
  FusionReport report = reportFusion(*copy, bodies, policy, gbps);
  translate(report, numbers);
  EndNames(module).give(report);
  return report;
}

llvm::Expected<FusionReport> explainFusion(ModuleOp module, const FusionPolicy &policy, double gbps,
                                           UnlockProofOptions proofs, DispatchPlans *plans,
                                           const std::function<void()> &meanwhile) {
  auto report = explainEdges(module, policy, gbps, std::move(proofs), plans, meanwhile);
  if (report)
    report->loops = explainLoopFusion(module);
  return report;
}

} // namespace fuselage

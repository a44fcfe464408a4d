#include "core/graph/build/PlannedParts.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/graph/build/ModuleParts.h"
#include "core/graph/build/OpLabel.h"
#include "core/graph/model/GraphNames.h"
#include "core/transforms/dispatch/DispatchPlan.h"

using namespace mlir;

namespace fuselage {

namespace {
struct PartFinder {
  void visit(Operation *container);

  const llvm::DenseMap<Operation *, OpId> &ids;
  std::vector<Part> parts;
  std::vector<GraphCluster> path; ///< containers around what is visited
};
} // namespace

void PartFinder::visit(Operation *container) {
  std::vector<Operation *> loose;
  bool holdsFunctions = false;
  for (Region &region : container->getRegions())
    for (Block &block : region)
      for (Operation &op : block) {
        // The nameless module inside an executable says nothing.
        bool isSilent =
            isa<ModuleOp>(op) && !cast<ModuleOp>(op).getName() && decode(container).role == OpRole::Executable;
        if (isSilent) {
          visit(&op);
          holdsFunctions = true;
        } else if (isContainer(&op)) {
          path.push_back({.id = ids.lookup(&op),
                          .parent = static_cast<int>(path.size()) - 1,
                          .label = asUtf8(opLabel(&op)),
                          .kind = GraphCluster::Kind::Region,
                          .yields = {},
                          .entries = {}});
          visit(&op);
          path.pop_back();
          holdsFunctions = true;
        } else if (isFunctionLike(&op)) {
          bool hasBody = llvm::any_of(op.getRegions(), [](Region &region) { return !region.empty(); });
          if (hasBody)
            parts.push_back({.holder = &op,
                             .loose = {},
                             .isFunction = true,
                             .mayPlan = true,
                             .path = path,
                             .nodes = {},
                             .sources = {}});
          holdsFunctions = true;
        } else if (isShownAlone(&op)) {
          loose.push_back(&op);
        }
      }
  // Ops outside of any function are a fragment of a function's body, if there is nothing else.
  if (!loose.empty())
    parts.push_back({.holder = container,
                     .loose = std::move(loose),
                     .isFunction = false,
                     .mayPlan = !holdsFunctions && container->getNumRegions() == 1,
                     .path = path,
                     .nodes = {},
                     .sources = {}});
}

std::vector<Part> findParts(ModuleOp module, const llvm::DenseMap<Operation *, OpId> &ids) {
  PartFinder finder{.ids = ids, .parts = {}, .path = {}};
  finder.visit(module);
  return std::move(finder.parts);
}

PartPlan PartPlanner::planOf(const Part &part) {
  PartPlan plan;
  if (!part.mayPlan || (part.isFunction && DispatchSummaries::isDispatchFunction(part.holder)))
    return plan;
  Region &body = part.holder->getRegion(0);
  bool formed = part.holder
                    ->walk([&](Operation *inner) {
                      return summaries_.runsDispatch(inner) ? WalkResult::interrupt() : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (formed)
    plan.buffers = findBufferFlow(part.holder);
  if (formed && !isPartlyFormed(part.holder))
    return plan;
  bool isKnown = known_ && known_->contains(&body);
  plan.groups = PlannedGroups(isKnown ? std::move(known_->find(&body)->second) : planDispatches(body));
  plan.dispatches.resize(plan.groups.groups().size());
  return plan;
}

void summarize(std::vector<PartPlan> &plans, bool first) {
  size_t number = 0; // over all plans: each thread takes every second dispatch
  for (PartPlan &plan : plans)
    for (size_t group = 0; group < plan.dispatches.size(); ++group)
      if ((number++ % 2 == 0) == first)
        plan.dispatches[group] = DispatchSummaries::ofGroup(plan.groups.groups()[group]);
}

} // namespace fuselage

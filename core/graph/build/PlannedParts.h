// The parts of a module that get a FunctionGraph each, and the dispatches in them. Internal to core/graph.
#pragma once
#include "core/analysis/buffers/BufferFlow.h"
#include "core/graph/build/DispatchSummary.h"
#include "core/graph/build/PlannedGroups.h"
#include "llvm/ADT/PointerUnion.h"

namespace fuselage {

/// A function, or the ops of a container that are in none.
struct Part {
  mlir::Operation *holder; ///< the function, or the container
  std::vector<mlir::Operation *> loose;
  bool isFunction, mayPlan;
  std::vector<GraphCluster> path; ///< containers around it, without the module
  std::vector<GraphNode> nodes;   ///< of its arguments and ops
  /// Of each node the op, or the argument; until the nodes have their details.
  std::vector<llvm::PointerUnion<mlir::Operation *, mlir::Value>> sources;
};

/// The dispatches that a part has or would get.
struct PartPlan {
  BufferFlow buffers; ///< of a function that calls dispatches
  PlannedGroups groups;
  std::vector<GraphDispatch> dispatches; ///< by group; without names and costs before summarize()
};

/// In program order, functions without a body excepted. `ids`: of the module's ops.
std::vector<Part> findParts(mlir::ModuleOp module, const llvm::DenseMap<mlir::Operation *, OpId> &ids);

class PartPlanner {
public:
  /// `known`: plans of bodies, which are taken out of there. Else null.
  explicit PartPlanner(DispatchPlans *known) : known_(known) {}
  /// Groups the ops that are in no dispatch yet as the pass would.
  PartPlan planOf(const Part &part);

private:
  DispatchPlans *known_;
  DispatchSummaries summaries_;
};

/// Names the dispatches of all plans and sums up their costs: the first and every second after it, or the others, so
/// that two threads may do it together.
void summarize(std::vector<PartPlan> &plans, bool first);

} // namespace fuselage

#include "core/graph/model/GraphPart.h"
#include "core/graph/model/RepeatClusters.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

template <typename Predicate>
static GraphPart partOf(const FunctionGraph &function, std::string kind, std::string name, Predicate isIn) {
  GraphPart part;
  part.function = &function;
  part.kind = std::move(kind);
  part.name = std::move(name);
  for (size_t n = 0; n < function.nodes.size(); ++n)
    if (isIn(function.nodes[n]))
      part.nodes.push_back(static_cast<int>(n));
  return part;
}

static std::optional<GraphPart> findScope(const FunctionGraph &function, OpId id) {
  for (size_t s = 0; s < function.scopes.size(); ++s) {
    const GraphScope &scope = function.scopes[s];
    if (scopeClusterId(scope.first, scope.depth) != id)
      continue;
    std::vector<char> within(function.scopes.size(), 0); // outer before inner
    within[s] = 1;
    for (size_t inner = s + 1; inner < function.scopes.size(); ++inner)
      within[inner] = function.scopes[inner].parent >= 0 && within[function.scopes[inner].parent];
    return partOf(function, scopeKindName(scope.kind).str(), scope.path,
                  [&](const GraphNode &node) { return node.scope >= 0 && within[node.scope]; });
  }
  return std::nullopt;
}

/// The nodes of an instance with those of the repeats in it.
static void collectInstance(const FunctionGraph &function, int repeat, int instance, llvm::DenseSet<OpId> &ids) {
  const GraphRepeat &described = function.repeats[repeat];
  ids.insert(described.instances[instance].begin(), described.instances[instance].end());
  for (size_t inner = repeat + 1; inner < function.repeats.size(); ++inner)
    if (function.repeats[inner].parent == repeat && function.repeats[inner].parentInstance == instance)
      for (size_t i = 0; i < function.repeats[inner].instances.size(); ++i)
        collectInstance(function, static_cast<int>(inner), static_cast<int>(i), ids);
}

static std::optional<GraphPart> findInstances(const FunctionGraph &function, OpId id) {
  for (size_t r = 0; r < function.repeats.size(); ++r) {
    const GraphRepeat &repeat = function.repeats[r];
    if (!repeat.names.empty())
      continue; // they are scopes
    bool isWhole = repeatClusterId(repeat, RepeatPart::Whole) == id,
         isOthers = repeatClusterId(repeat, RepeatPart::Others) == id;
    llvm::DenseSet<OpId> ids;
    std::string name = repeat.label;
    for (size_t i = 0; i < repeat.instances.size(); ++i) {
      bool isThis = repeatClusterId(repeat, RepeatPart::Instance, i) == id;
      if (isThis)
        name = instanceName(repeat, i);
      if (isThis || isWhole || (isOthers && i > 0))
        collectInstance(function, static_cast<int>(r), static_cast<int>(i), ids);
    }
    if (!ids.empty())
      return partOf(function, isWhole || isOthers ? "layers" : "layer", name,
                    [&](const GraphNode &node) { return ids.contains(node.id); });
  }
  return std::nullopt;
}

static std::optional<GraphPart> findPlanned(const FunctionGraph &function, OpId id) {
  for (const GraphCluster &cluster : function.clusters)
    if (cluster.id == id && cluster.dispatch >= 0) {
      GraphPart part = partOf(function, "dispatch", cluster.label,
                              [&](const GraphNode &node) { return node.dispatch == cluster.dispatch; });
      part.dispatch = cluster.dispatch;
      return part;
    }
  return std::nullopt;
}

std::optional<GraphPart> findPart(const Graph &graph, OpId id) {
  if (id > plannedClusterBase)
    return std::nullopt;
  for (const FunctionGraph &function : graph.functions) {
    std::optional<GraphPart> part = id <= scopeClusterBase    ? findScope(function, id)
                                    : id <= repeatClusterBase ? findInstances(function, id)
                                                              : findPlanned(function, id);
    if (part) {
      part->cluster = id;
      return part;
    }
  }
  return std::nullopt;
}

PartTotals GraphPart::totals() const {
  if (dispatch < 0)
    if (const PartTotals *totals = ModelParts(*function).ofCluster(cluster))
      return *totals;
  PartTotals totals;
  if (dispatch >= 0)
    totals = totalsOf(function->dispatches[dispatch]);
  totals.ops = static_cast<int>(llvm::count_if(nodes, [&](int node) { return function->nodes[node].id >= 0; }));
  return totals;
}

} // namespace fuselage

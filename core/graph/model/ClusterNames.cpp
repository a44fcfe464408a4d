#include "core/graph/model/ClusterNames.h"
#include "core/graph/model/RepeatClusters.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {
namespace {

/// Calls `visit` with each cluster's id and its name, which no other cluster has.
class Namer {
public:
  explicit Namer(llvm::function_ref<void(OpId, const std::string &)> visit) : visit_(visit) {}
  void name(const Graph &graph) {
    for (const FunctionGraph &function : graph.functions) {
      nameClusters(function);
      nameScopes(function);
      nameRepeats(function);
    }
  }

private:
  void add(OpId id, const std::string &name) {
    unsigned number = seen_[name]++;
    visit_(id, number == 0 ? name : llvm::formatv("{0} {1}", name, number).str());
  }
  void nameClusters(const FunctionGraph &function);
  void nameScopes(const FunctionGraph &function);
  void nameRepeats(const FunctionGraph &function);

  llvm::function_ref<void(OpId, const std::string &)> visit_;
  llvm::StringMap<unsigned> seen_;
};

} // namespace

static llvm::DenseMap<OpId, const GraphNode *> nodesOf(const FunctionGraph &function) {
  llvm::DenseMap<OpId, const GraphNode *> nodes;
  for (const GraphNode &node : function.nodes)
    nodes[node.id] = &node;
  return nodes;
}

static std::string dispatchName(const FunctionGraph &function, int dispatch) {
  bool isKnown = dispatch >= 0 && dispatch < static_cast<int>(function.dispatches.size());
  return isKnown ? "dispatch " + function.dispatches[dispatch].loc : "dispatch";
}

void Namer::nameClusters(const FunctionGraph &function) {
  llvm::DenseMap<OpId, const GraphNode *> nodes = nodesOf(function);
  for (const GraphCluster &cluster : function.clusters) {
    const GraphNode *node = nodes.lookup(cluster.id);
    if (cluster.kind == GraphCluster::Kind::Function)
      add(cluster.id, "function " + function.name);
    else if (cluster.kind == GraphCluster::Kind::Dispatch)
      add(cluster.id, dispatchName(function, cluster.dispatch));
    else if (node)
      add(cluster.id, llvm::formatv("{0} {1}", node->op, node->loc));
  }
  for (const GraphNode &node : function.nodes)
    if (node.kind == NodeKind::Dispatch && !function.outlined && node.dispatch >= 0 &&
        !function.dispatches[node.dispatch].function.empty())
      add(node.id, dispatchName(function, node.dispatch));
}

void Namer::nameScopes(const FunctionGraph &function) {
  for (const GraphScope &scope : function.scopes)
    add(scopeClusterId(scope.first, scope.depth), "scope " + scope.path);
}

void Namer::nameRepeats(const FunctionGraph &function) {
  llvm::DenseMap<OpId, const GraphNode *> nodes = nodesOf(function);
  for (const GraphRepeat &repeat : function.repeats) {
    if (!repeat.names.empty())
      continue; // they are scopes
    for (RepeatPart part : {RepeatPart::Whole, RepeatPart::Others, RepeatPart::Instance})
      for (size_t instance = 0; instance < (part == RepeatPart::Instance ? repeat.instances.size() : 1); ++instance) {
        const GraphNode *first = nodes.lookup(firstOf(repeat, instance));
        add(repeatClusterId(repeat, part, instance),
            llvm::formatv("repeat {0} {1} {2}", static_cast<int>(part), repeat.depth, first ? first->loc : ""));
      }
  }
}

std::set<OpId> sameClusters(const Graph &from, const std::set<OpId> &ids, const Graph &to) {
  std::set<OpId> same;
  if (ids.empty())
    return same;
  llvm::StringMap<bool> names;
  Namer([&](OpId id, const std::string &name) {
    if (ids.count(id))
      names[name] = true;
  }).name(from);
  Namer([&](OpId id, const std::string &name) {
    if (names.count(name))
      same.insert(id);
  }).name(to);
  return same;
}

} // namespace fuselage

#include "core/graph/model/RepeatClusters.h"
#include "core/graph/model/ScopeLooks.h"
#include "core/graph/model/ScopeTree.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

namespace fuselage {

OpId firstOf(const GraphRepeat &repeat, size_t instance) {
  const std::vector<OpId> &nodes = repeat.instances[instance];
  return nodes.empty() ? repeat.first + static_cast<OpId>(instance) : nodes.front();
}

/// Stable as long as the snapshot is; the same node may begin repeats of several depths.
OpId repeatClusterId(const GraphRepeat &repeat, RepeatPart part, size_t instance) {
  constexpr OpId depths = 16, parts = 4;
  constexpr OpId arguments = 100'000'000; // an instance may begin with one: their ids are negative
  OpId first = firstOf(repeat, instance) + arguments;
  return repeatClusterBase - ((first * depths + repeat.depth % depths) * parts + static_cast<int>(part));
}

std::string instanceName(const GraphRepeat &repeat, size_t instance) {
  return llvm::formatv("{0} {1} of {2}", repeat.depth == 0 ? "layer" : "part", instance + 1, repeat.instances.size());
}

namespace {

class TreeBuilder {
public:
  explicit TreeBuilder(const FunctionGraph &function) : function_(function) {}
  VisibleClusters build(ClusterOptions options, const std::vector<char> &visible);

private:
  int add(GraphCluster cluster, int parent, int count, bool collapsed);
  void addScopes(const std::vector<char> &visible);
  int around(const GraphRepeat &repeat) const;
  void addRepeat(const GraphRepeat &repeat);
  void moveNode(OpId id, int from, int to);
  void sort();

  const FunctionGraph &function_;
  VisibleClusters tree_;
  llvm::DenseMap<OpId, int> nodeAt_, clusterAt_;
  std::vector<std::vector<int>> instances_; // by repeat: clusters
};

int TreeBuilder::add(GraphCluster cluster, int parent, int count, bool collapsed) {
  tree_.made.push_back(std::move(cluster));
  tree_.clusters.push_back(&tree_.made.back());
  tree_.parent.push_back(parent);
  tree_.count.push_back(count);
  tree_.startsCollapsed.push_back(collapsed);
  return static_cast<int>(tree_.clusters.size()) - 1;
}

GraphCluster clusterOf(OpId id, std::string label, GraphCluster::Kind kind) {
  GraphCluster cluster;
  cluster.id = id;
  cluster.label = std::move(label);
  cluster.kind = kind;
  return cluster;
}

void TreeBuilder::addScopes(const std::vector<char> &visible) {
  std::vector<int> ofDispatch = scopesOfDispatches(function_), ofNode;
  for (const GraphNode &node : function_.nodes)
    ofNode.push_back(node.dispatch >= 0 ? ofDispatch[node.dispatch] : node.scope);
  std::vector<ScopeLook> looks = lookOfScopes(function_, ofNode, visible);
  int body = -1;
  for (size_t c = 0; c < function_.clusters.size() && body < 0; ++c)
    if (function_.clusters[c].kind == GraphCluster::Kind::Function)
      body = static_cast<int>(c);
  std::vector<int> boxes; // by scope: the innermost cluster of one around it
  for (size_t s = 0; s < looks.size(); ++s) {
    const GraphScope &scope = function_.scopes[s];
    int outer = scope.parent < 0 ? body : boxes[scope.parent];
    if (looks[s] == ScopeLook::Dissolved) {
      boxes.push_back(outer);
      continue;
    }
    // One of several calls of the same layer goes by its number.
    bool isCall = llvm::StringRef(scope.path).ends_with(")");
    boxes.push_back(add(clusterOf(scopeClusterId(scope.first, scope.depth),
                                  outer == body && !isCall ? scope.path : scope.label, GraphCluster::Kind::Scope),
                        outer, 0, looks[s] == ScopeLook::Collapsed));
  }
  auto boxOf = [&](int scope) { return scope < 0 ? body : boxes[scope]; };
  for (size_t n = 0; n < function_.nodes.size(); ++n) {
    int &cluster = tree_.ofNode[n];
    if (cluster == body)
      cluster = boxOf(ofNode[n]);
    else if (cluster >= 0 && visible[n] && function_.clusters[cluster].parent == body)
      tree_.parent[cluster] = boxOf(ofNode[n]);
  }
}

/// The cluster that a repeat lies in: its home, or the scope there.
int TreeBuilder::around(const GraphRepeat &repeat) const {
  auto first = nodeAt_.find(repeat.first);
  if (first == nodeAt_.end())
    return repeat.cluster;
  int cluster = tree_.ofNode[first->second];
  bool isPlanned = cluster >= 0 && isPlannedCluster(tree_.clusters[cluster]->id);
  int box = isPlanned ? tree_.parent[cluster] : cluster;
  return box >= 0 && tree_.clusters[box]->kind == GraphCluster::Kind::Scope ? box : repeat.cluster;
}

void TreeBuilder::addRepeat(const GraphRepeat &repeat) {
  using Kind = GraphCluster::Kind;
  int count = static_cast<int>(repeat.instances.size());
  // A repeat in the body of an op inside of an instance lies in that body.
  bool besides = repeat.parent >= 0 && function_.repeats[repeat.parent].cluster == repeat.cluster;
  int home = around(repeat);
  int parent = besides ? instances_[repeat.parent][repeat.parentInstance] : home;
  int whole = add(clusterOf(repeatClusterId(repeat, RepeatPart::Whole),
                            llvm::formatv("\u00d7{0}  {1}", count, repeat.label), Kind::Repeat),
                  parent, count, false);
  std::vector<int> &clusters = instances_.emplace_back();
  auto addInstance = [&](int instance, int around) {
    clusters.push_back(add(clusterOf(repeatClusterId(repeat, RepeatPart::Instance, instance),
                                     instanceName(repeat, instance), Kind::Instance),
                           around, 0, true));
  };
  addInstance(0, whole);
  int others = add(clusterOf(repeatClusterId(repeat, RepeatPart::Others), llvm::formatv("{0} more like it", count - 1),
                             Kind::Others),
                   whole, count - 1, true);
  for (int instance = 1; instance < count; ++instance)
    addInstance(instance, others);
  for (int instance = 0; instance < count; ++instance)
    for (OpId id : repeat.instances[instance])
      moveNode(id, home, clusters[instance]);
}

/// Moves what stands right in cluster `from`: the node, the planned dispatch it is in, its own body.
/// What is nested deeper follows.
void TreeBuilder::moveNode(OpId id, int from, int to) {
  auto node = nodeAt_.find(id);
  if (node == nodeAt_.end())
    return;
  int &cluster = tree_.ofNode[node->second];
  if (cluster == from)
    cluster = to;
  else if (cluster >= 0 && tree_.parent[cluster] == from)
    tree_.parent[cluster] = to;
  if (auto own = clusterAt_.find(id); own != clusterAt_.end() && tree_.parent[own->second] == from)
    tree_.parent[own->second] = to;
}

/// Parents before children again, otherwise in the old order.
void TreeBuilder::sort() {
  size_t size = tree_.clusters.size();
  std::vector<int> depth(size, -1), order(size), place(size);
  for (size_t c = 0; c < size; ++c) {
    std::vector<size_t> chain;
    for (int at = static_cast<int>(c); at >= 0 && depth[at] < 0; at = tree_.parent[at])
      chain.push_back(at);
    for (size_t at : llvm::reverse(chain))
      depth[at] = tree_.parent[at] < 0 ? 0 : depth[tree_.parent[at]] + 1;
  }
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](int a, int b) { return depth[a] < depth[b]; });
  for (size_t at = 0; at < size; ++at)
    place[order[at]] = static_cast<int>(at);
  auto moved = [&](int cluster) { return cluster < 0 ? -1 : place[cluster]; };
  VisibleClusters sorted;
  for (int old : order) {
    sorted.clusters.push_back(tree_.clusters[old]);
    sorted.parent.push_back(moved(tree_.parent[old]));
    sorted.count.push_back(tree_.count[old]);
    sorted.startsCollapsed.push_back(tree_.startsCollapsed[old]);
  }
  for (int cluster : tree_.ofNode)
    sorted.ofNode.push_back(moved(cluster));
  sorted.made = std::move(tree_.made);
  tree_ = std::move(sorted);
}

VisibleClusters TreeBuilder::build(ClusterOptions options, const std::vector<char> &visible) {
  for (const GraphCluster &cluster : function_.clusters) {
    tree_.clusters.push_back(&cluster);
    tree_.parent.push_back(cluster.parent);
    tree_.count.push_back(0);
    tree_.startsCollapsed.push_back(0);
  }
  for (const GraphNode &node : function_.nodes)
    tree_.ofNode.push_back(node.cluster);
  bool scopes = options.scopes && !function_.scopes.empty(), repeats = options.repeats && !function_.repeats.empty();
  if (!scopes && !repeats)
    return std::move(tree_);
  if (scopes)
    addScopes(visible);
  for (size_t n = 0; n < function_.nodes.size(); ++n)
    nodeAt_[function_.nodes[n].id] = static_cast<int>(n);
  for (size_t c = 0; c < function_.clusters.size(); ++c)
    clusterAt_[function_.clusters[c].id] = static_cast<int>(c);
  if (repeats)
    for (const GraphRepeat &repeat : function_.repeats)
      if (repeat.names.empty()) // those are scopes
        addRepeat(repeat);
  sort();
  return std::move(tree_);
}

} // namespace

VisibleClusters clustersOf(const FunctionGraph &function, ClusterOptions options, const std::vector<char> &visible) {
  return TreeBuilder(function).build(options, visible);
}

} // namespace fuselage

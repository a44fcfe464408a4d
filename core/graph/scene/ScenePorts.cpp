#include "core/graph/scene/SceneBuilder.h"
#include "core/graph/scene/SceneText.h"
#include "llvm/ADT/SmallVector.h"

namespace fuselage {

/// A constant of one element is part of the op.
static bool isPort(const GraphNode &node) {
  if (!node.parameter.empty())
    return true;
  return node.kind == NodeKind::Constant && !node.types.empty() && shortType(node.types.front()).find('x') != std::string::npos;
}

static std::string textOf(const GraphNode &node) {
  std::string name = node.parameter.empty() ? node.label : node.parameter;
  return node.types.empty() ? name : name + " \u00b7 " + shortType(node.types.front());
}

/// What is folded away is said by the nodes that read it, alone or through ops on weights alone.
void SceneBuilder::addPorts() {
  constexpr size_t mostSources = 16, mostPorts = 12;
  if (!options_.foldConstants)
    return;
  const auto &nodes = function_->nodes;
  std::vector<llvm::SmallVector<int, 1>> sources(nodes.size()); // by folded node: the ports behind it
  for (size_t n = 0; n < nodes.size(); ++n)
    if (!visible_[n] && isPort(nodes[n]))
      sources[n].push_back(static_cast<int>(n));
  llvm::DenseMap<int, llvm::DenseSet<int>> seen; // by scene node
  for (const GraphEdge &edge : function_->edges) {
    auto from = nodeAt_.find(edge.from), to = nodeAt_.find(edge.to);
    if (from == nodeAt_.end() || to == nodeAt_.end() || sources[from->second].empty())
      continue;
    if (!visible_[to->second]) { // a weight that is made of weights
      auto &made = sources[to->second];
      for (int source : sources[from->second])
        if (made.size() < mostSources && nodes[to->second].isWeight && !llvm::is_contained(made, source))
          made.push_back(source);
      continue;
    }
    int end = endOf(edge.to);
    if (end < 0)
      continue;
    SceneNode &reader = scene.nodes[end];
    for (int source : sources[from->second]) {
      if (!seen[end].insert(source).second)
        continue;
      ++reader.portCount;
      if (reader.ports.size() < mostPorts)
        reader.ports.push_back({.id = nodes[source].id, .text = textOf(nodes[source])});
      scene.hiddenOps.emplace_back(nodes[source].id, reader.id);
    }
    if (nodes[from->second].isWeight && nodes[from->second].parameter.empty() && !reader.collapsedCluster)
      scene.hiddenOps.emplace_back(nodes[from->second].id, reader.id);
  }
}

} // namespace fuselage

#include "core/graph/model/Ports.h"
#include "core/graph/scene/SceneBuilder.h"
#include "core/graph/scene/SceneText.h"

namespace fuselage {

static std::string textOf(const GraphNode &node) {
  std::string name = (node.parameter.empty() ? node.label : node.parameter).str();
  return node.types.empty() ? name : name + " \u00b7 " + shortType(node.types.front());
}

/// What is folded away is said by the nodes that read it, alone or through ops on weights alone.
void SceneBuilder::addPorts() {
  constexpr size_t mostPorts = 12;
  if (!options_.foldConstants)
    return;
  const auto &nodes = function_->nodes;
  PortIndex index(*function_, [&](int node) { return !visible_[node]; });
  llvm::DenseMap<int, llvm::DenseSet<int>> seen; // by scene node
  for (const GraphEdge &edge : function_->edges) {
    int from = index.indexOf(edge.from), to = index.indexOf(edge.to);
    if (from < 0 || to < 0 || !visible_[to] || index.portsOf(from).empty())
      continue;
    int end = endOf(edge.to);
    if (end < 0)
      continue;
    SceneNode &reader = scene.nodes[end];
    for (int source : index.portsOf(from)) {
      if (!seen[end].insert(source).second)
        continue;
      ++reader.portCount;
      if (reader.ports.size() < mostPorts)
        reader.ports.push_back({.id = nodes[source].id, .text = textOf(nodes[source])});
      scene.hiddenOps.emplace_back(nodes[source].id, reader.id);
    }
    if (nodes[from].isWeight && nodes[from].parameter.empty() && !reader.collapsedCluster)
      scene.hiddenOps.emplace_back(nodes[from].id, reader.id);
  }
}

/// What is drawn all the same, since its reader shall show its ports: they, and what makes them of others.
void SceneBuilder::showPorts() {
  if (options_.portsOf.empty())
    return;
  for (const GraphEdge &edge : llvm::reverse(function_->edges)) { // readers before what they read
    auto from = nodeAt_.find(edge.from), to = nodeAt_.find(edge.to);
    if (from == nodeAt_.end() || to == nodeAt_.end())
      continue;
    const GraphNode &source = function_->nodes[from->second];
    bool isShown =
        options_.portsOf.count(edge.to) > 0 || (visible_[to->second] && function_->nodes[to->second].isWeight);
    if (isShown && (source.isWeight || isPort(source)))
      visible_[from->second] = 1;
  }
}

} // namespace fuselage

// The lines of a scene: from which box to which a value goes, and several values between two boxes as one line.
#include "core/analysis/costs/ValueBytes.h"
#include "core/graph/scene/SceneBuilder.h"
#include "core/graph/scene/SceneText.h"
#include "core/graph/scene/TextMetrics.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

/// From a region op's result to the value inside that it is, as far as the boxes are open.
GraphValue SceneBuilder::throughYields(GraphValue value) const {
  for (size_t guard = 0; guard <= tree_.clusters.size(); ++guard) {
    auto at = clusterAt_.find(value.node);
    if (at == clusterAt_.end() || drawn_[at->second] != Drawn::Box)
      return value;
    const auto &yields = clusterAt(at->second).yields;
    if (value.result >= yields.size())
      return value;
    GraphValue inner = yields[value.result];
    auto node = nodeAt_.find(inner.node);
    if (node == nodeAt_.end() || !visible_[node->second])
      return value;
    value = inner;
  }
  return value;
}

/// From a region op's operand to the block argument that it becomes, if the box is open.
OpId SceneBuilder::throughEntries(OpId to, unsigned operand) const {
  auto at = clusterAt_.find(to);
  if (at == clusterAt_.end() || drawn_[at->second] != Drawn::Box)
    return to;
  const auto &entries = clusterAt(at->second).entries;
  auto entry = entries.find(operand);
  return entry == entries.end() ? to : entry->second;
}

/// The layout's end for a graph node: its box, the collapsed cluster it hides in, the border of its
/// open cluster; -1 if it is folded away.
int SceneBuilder::endOf(OpId id) const {
  auto at = nodeAt_.find(id);
  if (at == nodeAt_.end())
    return -1;
  int c = tree_.ofNode[at->second];
  if (c >= 0 && drawn_[c] == Drawn::Hidden)
    c = collapsedInto_[c];
  if (c >= 0 && drawn_[c] == Drawn::Collapsed)
    return collapsedNode_[c];
  if (auto own = clusterAt_.find(id); own != clusterAt_.end()) {
    switch (drawn_[own->second]) {
    case Drawn::Collapsed:
      return collapsedNode_[own->second];
    case Drawn::Box:
      return -2 - sceneCluster_[own->second]; // made a cluster end when all nodes are known
    default:
      return -1;
    }
  }
  if (auto call = sceneCallAt_.find(id); call != sceneCallAt_.end())
    return -2 - call->second;
  auto node = sceneNodeAt_.find(id);
  return node == sceneNodeAt_.end() ? -1 : node->second;
}

/// What stands at a line. Most lines of a picture have one of a few labels, whose text takes its time.
SharedText SceneBuilder::edgeLabel(const SharedText &type, size_t values, const Bytes &bytes) {
  auto [known, isNew] = labels_.try_emplace({type.ref().data(), values, bytes.count, int(bytes.atMost)});
  if (!isNew)
    return known->second;
  std::string label =
      values == 1 ? elideText(shortType(type), smallSize, mostTitle) : llvm::formatv("{0} values", values).str();
  if (std::string size = formatBytes(bytes.count); !size.empty())
    label += (bytes.atMost ? " \u00b7 at most " : " \u00b7 ") + size;
  return known->second = texts_.of(label);
}

void SceneBuilder::addEdges() {
  struct Merged {
    size_t index;
    llvm::SmallVector<std::pair<OpId, unsigned>, 1> values;
    SharedText type;
    Bytes bytes;
    std::vector<SceneUse> uses;
  };
  llvm::DenseMap<std::pair<int, int>, size_t> seen;
  std::vector<Merged> merged;
  for (const GraphEdge &edge : function_->edges) {
    GraphValue source = throughYields({edge.from, edge.result});
    int from = endOf(source.node), to = endOf(throughEntries(edge.to, edge.operand));
    if (from == -1 || to == -1 || from == to)
      continue;
    std::pair<OpId, unsigned> value{edge.from, edge.result};
    auto [at, added] = seen.try_emplace({from, to}, merged.size());
    if (added) {
      merged.push_back({layout.edges.size(),
                        {value},
                        edge.type,
                        {edge.bytes, edge.bytesAtMost},
                        {{edge.from, edge.to, edge.operand}}});
      layout.edges.push_back({from, to});
      continue;
    }
    Merged &entry = merged[at->second];
    entry.uses.push_back({edge.from, edge.to, edge.operand});
    if (llvm::is_contained(entry.values, value) || entry.values.size() > 64)
      continue;
    entry.values.push_back(value);
    entry.bytes += {edge.bytes, edge.bytesAtMost};
  }
  scene.edges.resize(layout.edges.size());
  auto idOf = [&](int end) { return end >= 0 ? scene.nodes[end].id : scene.clusters[-2 - end].id; };
  for (Merged &entry : merged) {
    SceneEdge &edge = scene.edges[entry.index];
    edge.uses = std::move(entry.uses);
    edge.from = idOf(layout.edges[entry.index].from);
    edge.to = idOf(layout.edges[entry.index].to);
    edge.bytes = entry.bytes.count;
    edge.scalar = entry.values.size() == 1 && !entry.type.ref().contains('<');
    edge.label = edgeLabel(entry.type, entry.values.size(), entry.bytes);
  }
}

} // namespace fuselage

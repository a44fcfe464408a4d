#include "core/graph/model/FlowIndex.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace fuselage {

FlowIndex::FlowIndex(const FunctionGraph &function) : function_(function) {
  indexEdges();
  findHomes();
  findLeaves();
  findWeights();
}

void FlowIndex::indexEdges() {
  const auto &nodes = function_.nodes;
  nodeAt_.reserve(nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n)
    nodeAt_[nodes[n].id] = static_cast<int>(n);
  inputStart_.assign(nodes.size() + 1, 0);
  std::vector<std::pair<int, int>> ends; // from, to
  ends.reserve(function_.edges.size());
  for (const GraphEdge &edge : function_.edges) {
    int from = indexOf(edge.from), to = indexOf(edge.to);
    ends.push_back(from < 0 || to < 0 ? std::pair(-1, -1) : std::pair(from, to));
    if (ends.back().second >= 0)
      ++inputStart_[ends.back().second + 1];
  }
  for (size_t n = 0; n < nodes.size(); ++n)
    inputStart_[n + 1] += inputStart_[n];
  inputs_.resize(inputStart_.back());
  std::vector<int> next(inputStart_.begin(), inputStart_.end() - 1);
  for (size_t e = 0; e < ends.size(); ++e)
    if (ends[e].second >= 0)
      inputs_[next[ends[e].second]++] = {ends[e].first, function_.edges[e].result};
}

void FlowIndex::findHomes() {
  const auto &clusters = function_.clusters;
  std::vector<int> real(clusters.size()), depth(clusters.size()), top(clusters.size(), -1);
  hasBody_.assign(function_.nodes.size(), 0);
  for (size_t c = 0; c < clusters.size(); ++c) {
    int parent = clusters[c].parent;
    bool planned = isPlannedCluster(clusters[c].id);
    real[c] = planned ? (parent < 0 ? -1 : real[parent]) : static_cast<int>(c);
    depth[c] = (parent < 0 ? -1 : depth[parent]) + !planned;
    top[c] = parent < 0 ? -1 : top[parent];
    if (int node = indexOf(clusters[c].id); node >= 0) {
      hasBody_[node] = 1;
      if (top[c] < 0)
        top[c] = node;
    }
  }
  for (size_t n = 0; n < function_.nodes.size(); ++n) {
    int cluster = function_.nodes[n].cluster;
    home_.push_back(cluster < 0 ? -1 : real[cluster]);
    depth_.push_back(cluster < 0 ? -1 : depth[cluster]);
    top_.push_back(cluster < 0 || top[cluster] < 0 ? static_cast<int>(n) : top[cluster]);
  }
}

/// Whether an op may be part of a constant expression.
static bool makesData(NodeKind kind) {
  return kind == NodeKind::Compute || kind == NodeKind::Reshape || kind == NodeKind::Slice;
}

void FlowIndex::findLeaves() {
  constexpr int mostLevels = 2;
  const auto &nodes = function_.nodes;
  leaf_.assign(nodes.size(), -1);
  std::vector<int> level(nodes.size(), 0);
  std::map<std::vector<int>, int> structures;
  for (size_t n = 0; n < nodes.size(); ++n) {
    NodeKind kind = nodes[n].kind;
    bool source = kind == NodeKind::Constant || kind == NodeKind::Empty;
    llvm::ArrayRef<Input> inputs = inputsOf(static_cast<int>(n));
    if (hasBody_[n] || (!source && (!makesData(kind) || inputs.empty())))
      continue;
    std::vector<int> structure{formOf(nodes[n])};
    bool all = true;
    for (const Input &input : inputs) {
      all &= static_cast<size_t>(input.from) < n && leaf_[input.from] >= 0;
      if (!all)
        break;
      level[n] = std::max(level[n], level[input.from] + 1);
      structure.push_back(leaf_[input.from]);
      structure.push_back(static_cast<int>(input.result));
    }
    if (all && level[n] <= mostLevels)
      leaf_[n] = structures.try_emplace(std::move(structure), static_cast<int>(structures.size())).first->second;
  }
}

void FlowIndex::findWeights() {
  const auto &nodes = function_.nodes;
  weight_.assign(nodes.size(), 0);
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].parameter.empty()) {
      weight_[n] = 1;
      continue;
    }
    if (leaf_[n] >= 0 || hasBody_[n] || !makesData(nodes[n].kind))
      continue;
    bool any = false, all = true;
    for (const Input &input : inputsOf(static_cast<int>(n))) {
      bool isWeight = static_cast<size_t>(input.from) < n && weight_[input.from];
      any |= isWeight;
      all &= isWeight || leaf_[input.from] >= 0;
    }
    weight_[n] = any && all;
  }
}

} // namespace fuselage

// Edges cut at the borders of clusters, and joined again.
#include "core/graph/layout/LayeredLayout.h"
#include "core/graph/layout/LayoutHierarchy.h"
#include <algorithm>
#include <numeric>

namespace fuselage {

/// Depths, the first node inside (the order of boxes) and mean hints.
void LayoutHierarchy::measureClusters() {
  depth_.assign(clusterCount_, 1);
  firstNode_.assign(clusterCount_, nodeCount_);
  std::vector<double> sum(clusterCount_, 0);
  std::vector<int> hinted(clusterCount_, 0);
  for (int c = 0; c < clusterCount_; ++c)
    if (graph_.clusters[c].parent >= 0)
      depth_[c] = depth_[graph_.clusters[c].parent] + 1;
  for (int node = nodeCount_; node-- > 0;) {
    int cluster = graph_.nodes[node].cluster;
    if (cluster < 0)
      continue;
    firstNode_[cluster] = node;
    if (graph_.nodes[node].hint) {
      sum[cluster] += graph_.nodes[node].hint->x;
      ++hinted[cluster];
    }
  }
  hint_.assign(clusterCount_, NAN);
  for (int c = clusterCount_; c-- > 0;) {
    if (hinted[c])
      hint_[c] = sum[c] / hinted[c];
    int parent = graph_.clusters[c].parent;
    if (parent < 0)
      continue;
    firstNode_[parent] = std::min(firstNode_[parent], firstNode_[c]);
    sum[parent] += sum[c];
    hinted[parent] += hinted[c];
  }
}

int LayoutHierarchy::addPort(int cluster, int value, bool in) {
  ports_.push_back({.cluster = cluster, .value = value, .in = in});
  return static_cast<int>(ports_.size()) - 1;
}

int LayoutHierarchy::addPart(int cluster, int from, int fromPort, int to, int toPort, int value) {
  parts_.push_back({cluster + 1, from, fromPort, to, toPort, value});
  return static_cast<int>(parts_.size()) - 1;
}

/// Cuts an edge at the borders it crosses: up from its source to the innermost common cluster,
/// across, and down to its target. Edges of one value share ports and parts.
void LayoutHierarchy::splitEdge(int edge) {
  int value = graph_.edges[edge].from, target = graph_.edges[edge].to;
  int up = parentOf(value), into = parentOf(target);
  auto depth = [&](int cluster) { return cluster < 0 ? 0 : depth_[cluster]; };
  auto parent = [&](int cluster) { return graph_.clusters[cluster].parent; };
  int from = value, fromPort = -1;
  size_t first = edgeParts_.size();
  down_.clear();
  while (up != into) {
    bool climb = depth(up) >= depth(into), descend = depth(into) >= depth(up);
    if (climb) {
      if (outPort_[up] < 0 || ports_[outPort_[up]].value != value) {
        outPort_[up] = addPort(up, value, false);
        ports_[outPort_[up]].inner = addPart(up, from, fromPort, firstPort_ + outPort_[up], -1, value);
      }
      edgeParts_.push_back(ports_[outPort_[up]].inner);
      from = nodeCount_ + up;
      fromPort = outPort_[up];
      up = parent(up);
    }
    if (descend) {
      down_.push_back(into);
      into = parent(into);
    }
  }
  bool nested = (from >= nodeCount_ && from == target) || (!down_.empty() && nodeCount_ + down_.back() == value);
  if (nested && value != target) { // an end that contains the other one has no way to it
    edgeParts_.resize(first);
    return;
  }
  int level = up;
  for (size_t i = down_.size(); i-- > 0;) {
    int cluster = down_[i];
    if (inPort_[cluster] < 0 || ports_[inPort_[cluster]].value != value) {
      inPort_[cluster] = addPort(cluster, value, true);
      ports_[inPort_[cluster]].outer = addPart(level, from, fromPort, nodeCount_ + cluster, inPort_[cluster], value);
    }
    edgeParts_.push_back(ports_[inPort_[cluster]].outer);
    from = firstPort_ + inPort_[cluster];
    fromPort = -1;
    level = cluster;
  }
  int &direct = directPart_[target];
  if (direct < 0 || parts_[direct].value != value)
    direct = addPart(level, from, fromPort, target, -1, value);
  edgeParts_.push_back(direct);
}

void LayoutHierarchy::splitEdges() {
  int edgeCount = graph_.edges.size();
  std::vector<int> order(edgeCount), start(firstPort_ + 1, 0);
  for (const LayoutGraph::Edge &edge : graph_.edges)
    ++start[edge.from + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (int e = 0; e < edgeCount; ++e)
    order[start[graph_.edges[e].from]++] = e;
  outPort_.assign(clusterCount_, -1);
  inPort_.assign(clusterCount_, -1);
  directPart_.assign(firstPort_, -1);
  edgePartStart_.assign(2 * edgeCount, 0);
  parts_.reserve(edgeCount);
  edgeParts_.reserve(edgeCount);
  for (int edge : order) {
    edgePartStart_[2 * edge] = edgeParts_.size();
    splitEdge(edge);
    edgePartStart_[2 * edge + 1] = edgeParts_.size();
  }
}

/// Orders the ports of each border by where their values come from in the picture so far.
void LayoutHierarchy::hintPorts() {
  for (LayoutPort &port : ports_) {
    const LayoutRect &source =
        port.value < nodeCount_ ? result_.nodes[port.value] : result_.clusters[port.value - nodeCount_];
    if (port.in)
      port.hint = source.x + source.w / 2;
  }
}

void LayoutHierarchy::joinEdges() {
  result_.edges.resize(graph_.edges.size());
  // The ways of all parts take more than those of the edges: each goes with the last edge that has it.
  std::vector<size_t> lastEdge(parts_.size());
  for (size_t e = 0; e < graph_.edges.size(); ++e)
    for (int i = edgePartStart_[2 * e]; i < edgePartStart_[2 * e + 1]; ++i)
      lastEdge[edgeParts_[i]] = e;
  std::vector<LayoutPoint> joined;
  for (size_t e = 0; e < graph_.edges.size(); ++e) {
    joined.clear();
    for (int i = edgePartStart_[2 * e]; i < edgePartStart_[2 * e + 1]; ++i) {
      const int part = edgeParts_[i];
      const LayoutPoint &origin = origin_[parts_[part].level];
      for (const LayoutPoint &point : partRoute_[part])
        joined.push_back({point.x + origin.x, point.y + origin.y});
      if (lastEdge[part] == e)
        partRoute_[part] = std::vector<LayoutPoint>();
    }
    simplifyPolyline(joined);
    result_.edges[e] = joined;
  }
}

} // namespace fuselage

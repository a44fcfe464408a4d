#include "core/graph/layout/LayeredLayout.h"
#include "core/graph/layout/LayoutHierarchy.h"
#include <algorithm>

namespace fuselage {

static constexpr int mostNodesTwice = 20000; // a second round costs time

bool LayoutHierarchy::run() {
  measureClusters();
  splitEdges();
  groupByLevel();
  // Inside a box nobody knows yet where its inputs will come from; a second round does.
  bool again = !ports_.empty() && nodeCount_ <= mostNodesTwice;
  for (int round = 0; round < (again ? 2 : 1); ++round) {
    for (int level = clusterCount_; level >= 0; --level)
      if (!layoutLevel(level) || (cancelled_ && cancelled_->load()))
        return false;
    placeOrigins();
    hintPorts();
  }
  layerLayout_ = LayerLayout(); // of a large level it holds as much as the edges do
  levelGraph_ = LayerGraph();
  joinEdges();
  return true;
}

void simplifyPolyline(std::vector<LayoutPoint> &points) {
  size_t kept = 0;
  for (const LayoutPoint &point : points) {
    if (kept > 0 && std::abs(points[kept - 1].x - point.x) < 0.01 && std::abs(points[kept - 1].y - point.y) < 0.01)
      continue;
    if (kept > 1) {
      const LayoutPoint &a = points[kept - 2], &b = points[kept - 1];
      double cross = (b.x - a.x) * (point.y - b.y) - (b.y - a.y) * (point.x - b.x);
      double along = (b.x - a.x) * (point.x - b.x) + (b.y - a.y) * (point.y - b.y);
      double length = std::hypot(point.x - a.x, point.y - a.y);
      if (along > 0 && std::abs(cross) < 0.01 * length)
        --kept;
    }
    points[kept++] = point;
  }
  points.resize(kept);
}

std::string checkLayoutGraph(const LayoutGraph &graph) {
  int nodes = graph.nodes.size(), clusters = graph.clusters.size();
  for (int c = 0; c < clusters; ++c)
    if (graph.clusters[c].parent < -1 || graph.clusters[c].parent >= c)
      return "cluster " + std::to_string(c) + " does not come after its parent";
  for (int n = 0; n < nodes; ++n) {
    const LayoutGraph::Node &node = graph.nodes[n];
    if (node.cluster < -1 || node.cluster >= clusters)
      return "node " + std::to_string(n) + " is in a cluster that does not exist";
    if (!(node.w >= 0 && node.h >= 0 && std::isfinite(node.w) && std::isfinite(node.h)))
      return "node " + std::to_string(n) + " has no usable size";
  }
  for (const LayoutGraph::Edge &edge : graph.edges)
    if (edge.from < 0 || edge.to < 0 || edge.from >= nodes + clusters || edge.to >= nodes + clusters)
      return "an edge ends at something that does not exist";
  return "";
}

bool layeredLayout(const LayoutGraph &graph, const std::atomic<bool> *cancelled, LayoutResult &result) {
  return LayoutHierarchy(graph, cancelled, result).run();
}

} // namespace fuselage

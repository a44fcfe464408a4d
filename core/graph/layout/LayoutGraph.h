// Boxes and edges to be laid out, and where they are then.
#pragma once
#include <optional>
#include <vector>

namespace fuselage {

/// All lengths in px at 1x; y grows downwards.
struct LayoutPoint {
  double x = 0, y = 0;
};
struct LayoutRect {
  double x = 0, y = 0, w = 0, h = 0;
};

/// Nodes by index; `cluster` and `parent` are -1 at the top.
struct LayoutGraph {
  struct Node {
    double w = 0, h = 0;
    int cluster = -1;
    bool pullToConsumer = false; ///< constants: place right above the first user
    /// Where the node's middle was in the picture before, if it was there: nodes with a hint keep
    /// their order from left to right. A hint never costs an overlap.
    std::optional<LayoutPoint> hint;
  };
  /// An end is a node, or a cluster's border: nodes.size() + index of the cluster.
  struct Edge {
    int from = 0, to = 0;
  };
  struct Cluster {
    int parent = -1;
    double titleWidth = 0, titleHeight = 18;
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Cluster> clusters; ///< parents before children

  int clusterEnd(int cluster) const { return static_cast<int>(nodes.size()) + cluster; }
};

struct LayoutResult {
  std::vector<LayoutRect> nodes;
  std::vector<LayoutRect> clusters;
  std::vector<std::vector<LayoutPoint>> edges; ///< polyline through bend points, from box to box
  LayoutRect bounds;
};

} // namespace fuselage

// Places boxes and routes edges, without knowing what they mean.
#pragma once
#include "core/support/Error.h"
#include <atomic>
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

enum class LayoutEngine { Layered, Dot };

/// Layered: every cluster is laid out as a picture of its own, with ports where edges cross its
/// border, and stands in its parent as one box. Inside: longest path layers (Sugiyama et al. 1981),
/// dummies shared by the uses of one value, barycenter sweeps, x by weighted isotonic regression a
/// layer (pool adjacent violators), components packed in rows. Edges that run against the layers or
/// across very many of them take a channel at the side. Near-linear in nodes plus edges.
/// Boxes do not overlap, nodes lie inside their clusters, edges cross no node. Deterministic.
/// Dot: Graphviz in a process of its own, killed on cancel or after
/// `timeoutSeconds`. Failure: the graph is malformed, cancelled, or dot is missing, died or took
/// too long.
llvm::Expected<LayoutResult> layout(const LayoutGraph &graph, LayoutEngine engine,
                                    const std::atomic<bool> *cancelled = nullptr, double timeoutSeconds = 30);

} // namespace fuselage

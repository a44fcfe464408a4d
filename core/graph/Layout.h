// Places boxes and routes edges, without knowing what they mean.
#pragma once
#include "core/support/Error.h"
#include <atomic>
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
  };
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
};

struct LayoutResult {
  std::vector<LayoutRect> nodes;
  std::vector<LayoutRect> clusters;
  std::vector<std::vector<LayoutPoint>> edges; ///< polyline through bend points, from box to box
  LayoutRect bounds;
};

enum class LayoutEngine { Layered, Dot };

/// Layered: longest path, dummies, barycenter, width-aware x-assignment (Brandes & Koepf 2002);
/// linear in nodes plus edges. Dot: Graphviz in a process of its own, killed on cancel or after
/// `timeoutSeconds`. Failure: cancelled, or dot is missing, died or took too long.
llvm::Expected<LayoutResult> layout(const LayoutGraph &graph, LayoutEngine engine,
                                    const std::atomic<bool> *cancelled = nullptr,
                                    double timeoutSeconds = 30);

} // namespace fuselage

// The clusters that a picture of a function has: its own, and those of its repeats. Internal to
// core/graph.
#pragma once
#include "core/graph/model/Graph.h"
#include <deque>

namespace fuselage {

/// A function's clusters as a tree that may differ from the function's own.
struct ClusterTree {
  std::vector<const GraphCluster *> clusters; ///< parents before children
  std::vector<int> parent;                    ///< by cluster, or -1
  std::vector<int> ofNode;                    ///< by node: innermost cluster, or -1
  std::vector<int> count;                     ///< by cluster: instances it stands for, else 0
  std::deque<GraphCluster> made;              ///< of repeats
};

/// With `repeats`, every GraphRepeat becomes a box around its first instance and a cluster of the
/// others, which holds them one by one. All but the box are collapsed to begin with.
ClusterTree clustersOf(const FunctionGraph &function, bool repeats);

/// Clusters that are collapsed unless expanded by hand.
inline bool startsCollapsed(GraphCluster::Kind kind) {
  return kind == GraphCluster::Kind::Instance || kind == GraphCluster::Kind::Others;
}

} // namespace fuselage

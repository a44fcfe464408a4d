// What lies directly in each cluster of a graph.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include <utility>
#include <vector>

namespace fuselage {

/// Of a LayoutGraph or a Scene: clusters have a `parent`, nodes a `cluster`, -1 for none.
class ClusterTree {
public:
  template <typename Graph>
  explicit ClusterTree(const Graph &graph) : clusters_(graph.clusters.size() + 1), nodes_(graph.clusters.size() + 1) {
    for (size_t c = 0; c < graph.clusters.size(); ++c)
      clusters_[graph.clusters[c].parent + 1].push_back(c);
    for (size_t n = 0; n < graph.nodes.size(); ++n)
      nodes_[graph.nodes[n].cluster + 1].push_back(n);
  }

  llvm::ArrayRef<int> nodesIn(int cluster) const { return nodes_[cluster + 1]; }

  /// Calls `enter` and `leave` with each cluster, around those in it. With a stack of its own: nesting may be deep.
  template <typename Enter, typename Leave> void walk(Enter enter, Leave leave) const {
    std::vector<std::pair<int, size_t>> open{{-1, 0}};
    while (!open.empty()) {
      auto &[cluster, next] = open.back();
      if (next == clusters_[cluster + 1].size()) {
        if (cluster >= 0)
          leave(cluster);
        open.pop_back();
        continue;
      }
      int child = clusters_[cluster + 1][next++];
      enter(child);
      open.push_back({child, 0});
    }
  }

private:
  std::vector<std::vector<int>> clusters_, nodes_; ///< by cluster, from -1 on
};

} // namespace fuselage

// The clusters that a picture of a function has: its own, and those of its repeats. Internal to
// core/graph.
#pragma once
#include "core/graph/model/Graph.h"
#include <deque>

namespace fuselage {

/// A function's clusters as a tree that may differ from the function's own.
struct VisibleClusters {
  std::vector<const GraphCluster *> clusters; ///< parents before children
  std::vector<int> parent;                    ///< by cluster, or -1
  std::vector<int> ofNode;                    ///< by node: innermost cluster, or -1
  std::vector<int> count;                     ///< by cluster: instances it stands for, else 0
  std::vector<char> startsCollapsed;          ///< by cluster: it is collapsed unless expanded by hand
  std::deque<GraphCluster> made;              ///< of repeats and scopes
};

/// What of a repeat has a cluster: all of it, all but its first instance, an instance.
enum class RepeatPart { Whole = 0, Others = 1, Instance = 2 };
/// The first node in program order of an instance; innermost repeats may own it.
OpId firstOf(const GraphRepeat &repeat, size_t instance);
OpId repeatClusterId(const GraphRepeat &repeat, RepeatPart part, size_t instance = 0);
/// "layer 3 of 12", counted from 1; "part 3 of 12" of a repeat in another.
std::string instanceName(const GraphRepeat &repeat, size_t instance);

/// What becomes clusters beside those of the program.
struct ClusterOptions {
  bool repeats = false, scopes = false;
};

/// With `scopes`, parts of the model become boxes or nodes (see lookOfScopes); a dispatch stands in the innermost part
/// around all of its ops. With `repeats`, every GraphRepeat becomes a box around its first instance and a cluster of
/// the others, which holds them one by one; all but the box are collapsed to begin with. `visible`: by node, whether it
/// is drawn.
VisibleClusters clustersOf(const FunctionGraph &function, ClusterOptions options, const std::vector<char> &visible);

} // namespace fuselage

// What the parts of a model come to: the one place that the numbers of graph, outline and details are from.
#pragma once
#include "core/graph/model/Graph.h"
#include <map>

namespace fuselage {

/// Sums over all that is in a part. Unknown numbers (-1) stay unknown.
struct PartTotals {
  int ops = 0; ///< all but arguments, as countOps counts those of a module
  int dispatches = 0;
  int64_t flops = 0, bytesRead = 0, bytesWritten = 0; ///< of its dispatches
  bool bytesAtMost = false;                           ///< data decides what is touched; it may be less

  int64_t bytes() const { return bytesRead < 0 || bytesWritten < 0 ? -1 : bytesRead + bytesWritten; }
  PartTotals &operator+=(const PartTotals &other);
};

/// What a dispatch comes to, but for its ops.
PartTotals totalsOf(const GraphDispatch &dispatch);

/// Which part of a function each op and each dispatch lies in: its scopes, the instances of its repeats, or none. A
/// dispatch with ops in several parts lies in one, and so do all of its ops; weights that are computed for a layer
/// count in that layer, wherever a picture shows them.
class ModelParts {
public:
  explicit ModelParts(const FunctionGraph &function);

  /// Parts by number, each after the one around it; -1: the function itself.
  int ofNode(size_t node) const { return ofNode_[node]; }
  int ofDispatch(size_t dispatch) const { return ofDispatch_[dispatch]; }
  int ofScope(size_t scope) const { return static_cast<int>(scope); }
  /// The part that is an instance of a repeat which is no scope.
  int ofInstance(size_t repeat, size_t instance) const { return instances_[repeat][instance]; }
  int parent(int part) const { return parts_[part].parent; }
  const PartTotals &totals(int part) const { return parts_[part].totals; }

  /// What the cluster of a scope, of an instance, or of several of them comes to; null: it is none of these.
  const PartTotals *ofCluster(OpId cluster) const;

private:
  struct Part {
    int parent = -1;
    PartTotals totals{};
  };
  void addRepeats();
  void placeDispatches();
  void sumUp();

  const FunctionGraph &function_;
  std::vector<Part> parts_;
  std::vector<std::vector<int>> instances_; // by repeat
  std::vector<int> ofNode_, ofDispatch_;
  std::map<OpId, PartTotals> ofCluster_;
};

} // namespace fuselage

// What a cluster of the picture holds, by the cluster's id.
#pragma once
#include "core/graph/model/PartTotals.h"
#include <optional>

namespace fuselage {

/// A part of a model that is no op: a scope, an instance of a repeat or all of it, a planned dispatch.
struct GraphPart {
  const FunctionGraph *function = nullptr;
  std::string kind;       ///< "layer", "dispatch"
  std::string name;       ///< "encoder.layer.3"
  int dispatch = -1;      ///< index into FunctionGraph::dispatches
  std::vector<int> nodes; ///< indices into FunctionGraph::nodes, in program order
  OpId cluster = 0;       ///< that it was found by

  PartTotals totals() const;
};
/// None: no such part has this id.
std::optional<GraphPart> findPart(const Graph &graph, OpId id);

} // namespace fuselage

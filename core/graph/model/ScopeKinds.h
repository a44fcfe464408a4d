// Which parts of a model are its layers. Internal to core/graph.
#pragma once
#include "core/graph/model/Graph.h"
#include "core/graph/patterns/ScopeNames.h"

namespace fuselage {

/// Fills in GraphScope::kind. Numbered parts whose paths differ in numbers alone are one class. Its members are layers
/// if most of them hold several parts that are no short list, and neighbours hold much the same. A layer that is mostly
/// layers is a stage; layers inside of another one are blocks. `paths`: by scope; `sizes`: by scope, ops in it.
void markScopeKinds(std::vector<GraphScope> &scopes, const std::vector<int> &paths, const std::vector<size_t> &sizes,
                    const ScopeNames &names);

} // namespace fuselage

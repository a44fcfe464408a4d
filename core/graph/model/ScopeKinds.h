// Which parts of a model are its layers. Internal to core/graph.
#pragma once
#include "core/graph/model/Graph.h"
#include "core/graph/model/ScopeNames.h"

namespace fuselage {

/// Fills in GraphScope::kind. Numbered parts whose paths differ in numbers alone are one class. Its members are layers if
/// most of them hold several parts that are no mere list, and neighbours hold much the same; where no class around or
/// inside of it is, the outermost class of more than one part is. `paths`: by scope.
void markScopeKinds(std::vector<GraphScope> &scopes, const std::vector<int> &paths, const ScopeNames &names);

} // namespace fuselage

// How the scopes of a function are drawn to begin with. Internal to core/graph.
#pragma once
#include "core/graph/model/Graph.h"

namespace fuselage {

/// Dissolved: its nodes stand in the scope around it. Open: a frame. Collapsed: a node.
enum class ScopeLook : char { Dissolved, Open, Collapsed };

/// By scope. What holds layers is open as far as people can take in the boxes at once, and layers and all other scopes
/// are collapsed; in a collapsed scope of few ops, what is inside of it is open. Scopes of two or three ops are
/// dissolved, and so are those that are all of the one around them, or hold a single layer and nothing else. `visible`:
/// by node, whether it is drawn; `scopes`: by node, where.
std::vector<ScopeLook> lookOfScopes(const FunctionGraph &function, const std::vector<int> &scopes,
                                    const std::vector<char> &visible);

} // namespace fuselage

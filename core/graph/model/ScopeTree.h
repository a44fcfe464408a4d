// Questions about the tree of a function's scopes. Internal to core/graph.
#pragma once
#include "core/graph/model/Graph.h"

namespace fuselage {

/// The innermost scope around both; -1: none.
int commonScope(const FunctionGraph &function, int a, int b);

/// By dispatch, the scope that it stands in: of ops whose scopes lie in each other the innermost, else the one around
/// all. Weights and leaves do not count where there is more; -1: in none.
std::vector<int> scopesOfDispatches(const FunctionGraph &function);

} // namespace fuselage

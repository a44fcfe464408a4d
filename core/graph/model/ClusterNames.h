// The clusters of one snapshot in another: what a user opened stays open when the module changes.
#pragma once
#include "core/graph/model/Graph.h"
#include <set>

namespace fuselage {

/// Ids in `to` of the clusters that have `ids` in `from`: parts of the model go by their names, layers without names by
/// where they begin, dispatches and the bodies of ops by where they come from, whether they are formed or called by
/// now. Of several that are called the same, the first is the first. What is not there any more is left out.
std::set<OpId> sameClusters(const Graph &from, const std::set<OpId> &ids, const Graph &to);

} // namespace fuselage

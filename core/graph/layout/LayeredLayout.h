// The layered engine: nesting of clusters around LayerLayout. Internal to core/graph.
#pragma once
#include "core/graph/layout/LayoutGraph.h"
#include <atomic>
#include <string>

namespace fuselage {

/// See layout(). The graph is well-formed (checkLayoutGraph). False if cancelled.
bool layeredLayout(const LayoutGraph &graph, const std::atomic<bool> *cancelled, LayoutResult &result);

/// An empty string, or what is wrong with the graph's indices and sizes.
std::string checkLayoutGraph(const LayoutGraph &graph);

/// Drops repeated points and points on a straight line between their neighbours.
void simplifyPolyline(std::vector<LayoutPoint> &points);

} // namespace fuselage

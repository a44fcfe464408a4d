// Graphviz's `dot` as a layout engine. Internal to core/graph.
#pragma once
#include "core/graph/layout/LayoutGraph.h"
#include "core/support/Error.h"
#include <atomic>

namespace fuselage {

/// See layout().
llvm::Expected<LayoutResult> dotLayout(const LayoutGraph &graph, const std::atomic<bool> *cancelled,
                                       double timeoutSeconds);

} // namespace fuselage

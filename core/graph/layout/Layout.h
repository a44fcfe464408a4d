// Places boxes and routes edges, without knowing what they mean.
#pragma once
#include "core/graph/layout/LayoutGraph.h"
#include "core/support/Error.h"
#include <atomic>

namespace fuselage {

enum class LayoutEngine { Layered, Dot };

/// Layered: every cluster is laid out as a picture of its own, with ports where edges cross its
/// border, and stands in its parent as one box. Inside: longest path layers (Sugiyama et al. 1981),
/// dummies shared by the uses of one value, barycenter sweeps, x by weighted isotonic regression a
/// layer (pool adjacent violators), components packed in rows. Edges that run against the layers or
/// across very many of them take a channel at the side. Near-linear in nodes plus edges.
/// Boxes do not overlap, nodes lie inside their clusters, edges cross no node. Deterministic.
/// Dot: Graphviz in a process of its own, killed on cancel or after
/// `timeoutSeconds`. Failure: the graph is malformed, cancelled, or dot is missing, died or took
/// too long.
llvm::Expected<LayoutResult> layout(const LayoutGraph &graph, LayoutEngine engine,
                                    const std::atomic<bool> *cancelled = nullptr, double timeoutSeconds = 30);

} // namespace fuselage

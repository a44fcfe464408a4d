// The tree of a model: modules, stages, layers, dispatches, ops.
#pragma once
#include "core/graph/model/Graph.h"
#include "core/graph/scene/EdgeVerdicts.h"
#include "core/protocol/Outline.h"

namespace fuselage {

/// Rows of the whole graph, each after the one around it. Functions that were outlined are where they are called, and
/// count once. Repeats that lie in no named layer are layers, too. Very large graphs have no rows for ops, nor for
/// repeats of a handful of ops.
message::Outline<> outlineOf(const Graph &graph, const EdgeVerdicts *verdicts);

} // namespace fuselage

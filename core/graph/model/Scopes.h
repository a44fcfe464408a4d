// Modules, stages and layers of a model, by the names that its exporter left.
#pragma once
#include "core/graph/model/FlowIndex.h"

namespace fuselage {

/// Fills in FunctionGraph::scopes and GraphNode::scope. An op belongs where its own name says (`places`, by node: names
/// such as "encoder/layer_3/attention/add" out of locations; may be empty), else where the parameters that it reads
/// belong (GraphNode::parameter). Ops that say nothing lie, in program order, between two that do: of these ops, those
/// before the place that the fewest values cross go with what feeds them, those after it with what reads them,
/// and none leaves the innermost part around both. Weights and constants go with their readers. What all names have in
/// common is left out. A part that is left and entered again is one scope if nothing outside of it lies between on a
/// path of values, else each call is one.
void findScopes(FunctionGraph &function, const FlowIndex &flow, const std::vector<std::string> &places);

/// Layers side by side, as repeats with names: those of one list of a model that follow each other and do much the
/// same.
std::vector<GraphRepeat> repeatsOfLayers(const FunctionGraph &function);

/// Those of the repeats that lie in one scope each: others the scopes cut, which say more.
std::vector<GraphRepeat> repeatsBesides(const FunctionGraph &function, std::vector<GraphRepeat> repeats);

} // namespace fuselage

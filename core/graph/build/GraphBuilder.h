// MLIR -> Graph.
#pragma once
#include "core/graph/build/ModuleParts.h"
#include "core/graph/model/Graph.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include <atomic>
#include <optional>

namespace fuselage {

/// Reads the graph off a module. Where the module has no flow.dispatch.region, ops are grouped as
/// `fuselage-form-dispatches` would group them (planDispatches), without changing the module.
/// Payload regions (bodies of linalg ops) are not descended into. `printed` gives lines and names.
Graph buildGraph(mlir::ModuleOp module, const PrintedModule &printed);
/// The same with the text that PrintedModule(module) has, which is printed while dispatches are planned.
Graph buildGraphWithText(mlir::ModuleOp module);
/// What a picture needs of it, in half the time and memory: ops have no lines, locations, maps, iterators
/// and names of results. Printing a large module, for its lines, takes as long as parsing it.
Graph buildGraph(mlir::ModuleOp module);
/// What LayerNames needs of it: without bytes, types of edges, and what planned dispatches are called and cost.
/// `plans`: of bodies for which they are known.
Graph buildGraphForNames(mlir::ModuleOp module, DispatchPlans plans = DispatchPlans());
/// nullopt: it was cancelled on the way.
std::optional<Graph> buildGraph(mlir::ModuleOp module, const std::atomic<bool> &cancelled);

} // namespace fuselage

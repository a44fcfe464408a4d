// MLIR -> Graph.
#pragma once
#include "core/graph/Graph.h"

namespace fuselage {

/// Reads the graph off a module. Where the module has no flow.dispatch.region, ops are grouped as
/// `fuselage-form-dispatches` would group them (planDispatches), without changing the module.
/// Payload regions (bodies of linalg ops) are not descended into. `printed` gives lines and names.
Graph buildGraph(mlir::ModuleOp module, const PrintedModule &printed);
/// The same without lines: printing a large module takes as long as parsing it.
Graph buildGraph(mlir::ModuleOp module);

} // namespace fuselage

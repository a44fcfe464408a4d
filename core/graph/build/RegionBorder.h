// How values cross the border of an op with regions. Internal to core/graph.
#pragma once
#include "core/dialects/decoders/Decoders.h"
#include "core/graph/model/Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage {

/// Fills in `yields` and `entries` of the cluster of `op`: which nodes inside stand after its
/// results, and where its operands go. `nodeOf` gives the node of a value, `idOf` that of an op.
void connectBorder(mlir::Operation *op, const DecodedOp &decoded, GraphCluster &cluster,
                   llvm::function_ref<GraphValue(mlir::Value)> nodeOf,
                   llvm::function_ref<OpId(mlir::Operation *)> idOf);

} // namespace fuselage

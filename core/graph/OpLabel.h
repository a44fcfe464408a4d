// What an op does, in a few words.
#pragma once
#include "core/graph/Graph.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Short and free of dialect noise: "matmul 128x768x768", "add 1x128x768", "transpose 768x768",
/// "reduce max 12x128x128", "expand_shape", "for 0..768 step 32", "constant 1.0".
/// For linalg.generic the payload and the indexing maps say what it is. Extents are those of the
/// iteration domain, `?` where dynamic.
std::string opLabel(mlir::Operation *op);

/// Into which colour and filter class an op falls.
NodeKind nodeKindOf(mlir::Operation *op);

/// True for ops that start a dispatch with a body of its own (flow.dispatch.region and its kin).
bool isDispatchRegion(mlir::Operation *op);

} // namespace fuselage

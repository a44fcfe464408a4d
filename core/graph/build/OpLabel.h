// What an op does, in a few words.
#pragma once
#include "core/dialects/decoders/Decoders.h"
#include "core/graph/model/Graph.h"

namespace fuselage {

/// Short and free of dialect noise: "matmul 128x768x768", "add 1x128x768", "transpose 768x768",
/// "reduce max 12x128x128", "expand_shape", "for 0..768 step 32", "constant 1.0".
/// For linalg.generic the payload and the indexing maps say what it is. Extents are those of the
/// iteration domain, `?` where dynamic. Decoders name what they know ("load 32x128 of 4096x2048"); any
/// other op of a foreign dialect is its name and the shape of its result.
std::string opLabel(mlir::Operation *op, const DecodedOp &decoded);
inline std::string opLabel(mlir::Operation *op) { return opLabel(op, decode(op)); }

/// The iterator types of the loops of a structured op, "parallel, reduction"; empty for all other ops.
std::string iteratorsOf(mlir::Operation *op);

/// The maps from the loops of a structured op to its operands; none for all other ops.
llvm::SmallVector<mlir::AffineMap> indexingMapsOf(mlir::Operation *op);

} // namespace fuselage

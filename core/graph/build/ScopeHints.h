// What an op says of the part of the model that it belongs to. Internal to core/graph.
#pragma once
#include "core/dialects/decoders/Decoders.h"
#include <string>

namespace fuselage {

/// The name of the model's parameter that a load of a global brings, or empty.
std::string parameterOf(mlir::Operation *op, const DecodedOp &decoded);

/// The name in a location that says where in the model an op is: "encoder/layer_3/attention/add"; empty if there is
/// none. Names of values have no slashes.
std::string placeInModel(mlir::Location location);

} // namespace fuselage

// The payload op of a match, found without running the script.
#pragma once
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

namespace fuselage::tune {

/// The only op below `root` with the name that `match` gives. Returns null if there is none or several, or `match` has
/// more conditions than one name.
mlir::Operation *onlyMatch(mlir::transform::MatchOp match, mlir::Operation *root);

} // namespace fuselage::tune

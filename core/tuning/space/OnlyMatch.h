// What a script's match is of, read without running the script.
#pragma once
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

namespace fuselage::tune {

/// The only op below `root` that `match` means by its name; null: there are others or none, or it asks for more than
/// one name.
mlir::Operation *onlyMatch(mlir::transform::MatchOp match, mlir::Operation *root);

} // namespace fuselage::tune

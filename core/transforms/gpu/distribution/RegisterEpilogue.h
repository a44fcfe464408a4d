// Elementwise ops behind a reduction that are computed where its results are in registers.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

/// Whether `user` takes each result of `last` where that computes it, and nothing else of it. `first`: the reduction
/// that both follow, whose iterations they share.
bool takesResults(mlir::linalg::LinalgOp user, mlir::linalg::LinalgOp last, mlir::linalg::LinalgOp first);

/// Whether `user`, which takes the results of `last` one by one, puts its own in their places: nobody reads those then.
bool replacesResults(mlir::linalg::LinalgOp user, mlir::linalg::LinalgOp last);

} // namespace fuselage

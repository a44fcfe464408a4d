// Elementwise ops after a reduction that are computed in the registers of its results.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

/// Returns true if each iteration of `user` reads only that element of each result of `last` which the same iteration
/// of `last` writes. `first`: the reduction before both, whose parallel iterations they share.
bool takesResults(mlir::linalg::LinalgOp user, mlir::linalg::LinalgOp last, mlir::linalg::LinalgOp first);

/// Returns true if `user`, for which takesResults holds, overwrites the results of `last`, so that nothing else reads
/// them.
bool replacesResults(mlir::linalg::LinalgOp user, mlir::linalg::LinalgOp last);

} // namespace fuselage

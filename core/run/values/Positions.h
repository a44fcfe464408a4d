// Which values are positions: 0, 1, 2, ..
#pragma once
#include "mlir/IR/Value.h"

namespace fuselage {

/// The sine or cosine that takes a value which is multiplied, moved and repeated at most on the
/// way; null: none does.
mlir::Operation *angleOf(mlir::Value value);

/// Whether elements are 0, 1, 2, .. along a dimension, more or less a constant. `depth`: of ops
/// that are looked at.
bool isIota(mlir::Value value, unsigned depth = 12);

} // namespace fuselage

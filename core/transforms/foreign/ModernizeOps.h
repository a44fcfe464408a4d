// Ops on tensors as they were before 2021, as today's.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Whether `modernizeOps` would look at the op.
bool isLegacyOp(mlir::Operation *op);

/// Replaces what the tolerant reader keeps as another version's op because only its types fail today,
/// inside `root`:
///   - `subtensor` and `subtensor_insert` whose static sizes are written as values
///   - `linalg.generic` on tensors without `outs`: it gets a tensor.empty
/// Ops that would not verify stay as they are.
void modernizeOps(mlir::Operation *root);

} // namespace fuselage

// Ops of other dialects that upstream has, too, under another name.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether `replaceTensorTwins` may have something to do with an op.
bool isTensorTwin(mlir::Operation *op);

/// Replaces, where types and sizes fit:
///   - what hands on its operand: `util.optimization_barrier`, `util.assume.int`, `flow.tensor.tie_shape`, `.clone`,
///     `.transfer`, `torch_c` casts between equal types
///   - `flow.tensor.empty`, `.splat`, `.constant`, `.reshape`, `.slice`, `.update`, `.load`, `.store` by ops of tensor,
///     linalg and arith
///   - `iree_tensor_ext.bitcast` of equal shapes by a linalg.generic of arith.bitcast
/// Others stay as they are.
void replaceTensorTwins(mlir::ModuleOp module);

} // namespace fuselage

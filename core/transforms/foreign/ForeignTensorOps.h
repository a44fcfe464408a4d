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
///   - `flow.tensor.bitcast` and `iree_tensor_ext.bitcast` by linalg.generic ops (composites/BitcastTensor.h)
/// Others stay as they are, and so do bitcasts to another width if `portable`.
void replaceTensorTwins(mlir::ModuleOp module, bool portable = false);

/// A bitcast to elements of another width: no kernel for a compiler that knows tensors as bytes.
bool isWidthBitcast(mlir::Operation *op);

} // namespace fuselage

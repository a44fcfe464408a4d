// TOSA, which TensorFlow Lite, PyTorch and ONNX are exported to, in upstream's words for kernels.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

bool isTosa(mlir::Operation *op);
/// Whether there are ops of TOSA in a module.
bool hasTosaOps(mlir::ModuleOp module);

/// Replaces ops of TOSA by those of linalg, tensor, arith and scf, by upstream's patterns. What these refuse, stays.
void lowerTosaOps(mlir::ModuleOp module);

} // namespace fuselage

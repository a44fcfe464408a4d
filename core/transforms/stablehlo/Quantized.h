// Uniform quantized types: a tensor is one of what its elements are stored in; ops compute on what these stand for.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Puts ops that compute on whole tensors of quantized types, such as products, between uniform_dequantize and
/// uniform_quantize. Ops that only move elements stay, and so do elementwise ones of types with one scale, whose
/// scalars are converted (ScalarFunction).
void openQuantizedOps(mlir::ModuleOp module);

} // namespace fuselage

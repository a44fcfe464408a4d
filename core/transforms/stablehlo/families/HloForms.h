// Other forms of ops of StableHLO: those of old compilers, and custom calls whose meaning is known.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Writes ops as those that have a lowering: the body of `mhlo.fusion` in its place; custom calls of functions
/// that are ops of MHLO (`mhlo.topk`), of JAX's ops with dynamic sizes (`stablehlo.dynamic_reduce_window`) and of XLA's
/// TopK and ApproxTopK as these ops; dynamic_conv and dynamic_pad with constant padding as convolution and pad. Others
/// stay.
void unifyHloForms(mlir::ModuleOp module);

} // namespace fuselage

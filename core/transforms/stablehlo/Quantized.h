// Uniform quantized types: a tensor is one of what its elements are stored in; ops compute on what these stand for.
#pragma once
#include "core/transforms/stablehlo/Scalar.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Scale and zero point as numbers of the expressed type.
struct QuantParameters {
  Scalar scale, zeroPoint;
};

/// (stored - zero point) * scale
Scalar dequantized(const Scalar &stored, mlir::quant::QuantizedType type, const QuantParameters &parameters);
/// real / scale + zero point, within the bounds of the storage, to the nearest integer, ties to even.
Scalar quantized(const Scalar &real, mlir::quant::QuantizedType type, const QuantParameters &parameters);

/// An op on scalars some of which are of a type with one scale: computed on what they stand for.
mlir::Value callOnQuantized(ScalarLowering lowering, const ScalarCall &call);
bool isOnQuantized(const ScalarCall &call);

/// Ops that compute on whole tensors of quantized types, such as products, between uniform_dequantize and
/// uniform_quantize. Ops that only move elements stay, and so do elementwise ones of types with one scale.
void openQuantizedOps(mlir::ModuleOp module);

} // namespace fuselage

// Shapes and attributes of HLO in MLIR's terms. Internal to core/ir/hlo.
#pragma once
#include "core/ir/hlo/HloModule.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace fuselage::hlo {

/// `tensor<2x?xf32, "{0,1} <=2,8">`: the layout as an encoding where it is not the row-major one without tiles, then
/// the bounds of dynamic dimensions. Tokens, opaque data and element types that MLIR lacks are `!hlo<"token">`.
mlir::Type typeOf(mlir::MLIRContext *context, const ArrayShape &shape);

/// The value of an attribute: an integer, a list of integers, a truth value, or its text, of which long ones (a
/// backend_config may hold a whole kernel) are shortened.
mlir::Attribute attributeOf(mlir::MLIRContext *context, llvm::StringRef value);

/// The value of a constant: a number where it is one, else its text, shortened.
mlir::Attribute literalOf(mlir::MLIRContext *context, llvm::StringRef literal, mlir::Type type);

} // namespace fuselage::hlo

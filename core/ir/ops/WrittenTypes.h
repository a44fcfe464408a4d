// The types that a function's arguments and results had as the program was written.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// On an argument or result of a function whose integers were unsigned: arith has only signless ones. Files, printed
/// numbers and inputs are of the type as written.
inline constexpr llvm::StringLiteral kUnsignedAttr = "fuselage.unsigned";

/// tensor<4xui8> for an argument of type tensor<4xi8> with the attribute; the type itself without.
mlir::Type writtenType(mlir::BlockArgument argument);
mlir::Type writtenResultType(mlir::func::FuncOp function, unsigned index);

} // namespace fuselage

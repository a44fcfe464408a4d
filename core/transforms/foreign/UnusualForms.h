// Valid ops in forms that upstream's own passes, or other targets, do not take.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Whether the op is a tensor.expand_shape with a size that its result's type leaves open, on which
/// upstream's canonicalization crashes, or a number that is a constant of LLVM's dialect.
bool isUnusualForm(mlir::Operation *op);

/// Gives those results the sizes that their ops have, and casts them to what their users read;
/// makes those constants arith.constant.
void replaceUnusualForms(mlir::ModuleOp module);

} // namespace fuselage

// Arguments that have to be positive for the sake of what is computed from them.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// By argument of `function`, an op that takes a root, a logarithm or a power of something computed from it, which is
/// positive if a few arguments are: sqrt(a * b) wants a and b positive. What is positive anyway, such as a sum of
/// squares or an exponential, wants nothing of anybody; where a difference stands in the way, nothing can be wanted.
llvm::DenseMap<mlir::BlockArgument, mlir::Operation *> signDemandsOf(mlir::func::FuncOp function);

/// True if `power` is a whole number, of which any number has a power.
bool isWholePower(mlir::Value power);

} // namespace fuselage
